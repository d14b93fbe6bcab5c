"""How are operations recorded for gradients? Rows say how gradients pass; here is the rest."""
