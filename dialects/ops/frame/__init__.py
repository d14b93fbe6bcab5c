"""How is a row written down? What a row says, its schema, and the rules that rows share."""
