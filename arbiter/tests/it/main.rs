//! What a user can see of arbiter, and what the parts promise each other. One binary, to save linking.

mod architecture;
mod batch;
mod host;
mod positions;
mod referee;
