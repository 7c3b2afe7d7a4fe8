//! What a person owes to nobody: a terminal that is given back, whatever happens.
