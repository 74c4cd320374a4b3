//! The catalogue, and fetching against a server on this machine that misbehaves on command.

mod catalogue;
mod disk;
mod published;
mod refused;
mod resume;
mod server;
mod toy;
mod whole;
