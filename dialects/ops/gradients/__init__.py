"""By which formulas do gradients pass the rows? One rule for each row that does not derive its own.

Formulas are functions of tensors: `frame/gradients.py` says what their parameters mean.
"""
