"""Operations on concrete tensors: one-op functions, compiled like any other."""
