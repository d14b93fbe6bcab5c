"""How are operations recorded for gradients? Their rows say how gradients pass; here is the rest."""
