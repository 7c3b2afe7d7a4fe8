//! What users of arbiter can see, tested from outside. One binary, to link once.

mod host;
