//! `pfcvm app`: a page of this machine, for this machine.
//!
//! A small HTTP server on the loopback address takes a table, has the program look at it, fit it, test
//! it and price it, and shows the reports. It computes nothing itself: every job is the program `pfcvm`
//! as a child process, so that stopping is killing, a job that runs out of memory takes nothing with it,
//! and the commands that the page shows are those that ran, with the user's own names of files.
//!
//! What keeps strangers out:
//!
//! - only the loopback address is listened on, and `Host` must name it, so that no name of a foreign
//!   server can be pointed here;
//! - every address begins with a secret that is drawn at the start (no cookie: cookies are shared between
//!   all ports of a machine);
//! - whatever changes anything must come from our own page, as `Origin` tells;
//! - heads, bodies, waiting times, connections, tables and results are bounded ([`Limits`]);
//! - names from outside never become paths: files have names that the server made;
//! - files lie in a folder that only the user can read, which goes with the server; what a killed server
//!   left is removed by the next one.
//!
//! | module | what it knows |
//! |---|---|
//! | `folder` | the private folder and leftovers |
//! | `request`, `response` | HTTP, as much as is needed |
//! | `guard` | who may ask |
//! | `server` | connections |
//! | `routes` | what is answered |
//! | `desk` | tables, results and their steps |
//! | `commands` | which commands make up a result |
//! | `runner` | one command after the other |
//! | `names` | harmless names of files, and the user's own as words of a shell |

#[cfg(test)]
mod attacks;
mod browser;
mod commands;
mod desk;
mod folder;
mod guard;
mod names;
mod request;
mod response;
mod routes;
mod runner;
mod server;

pub use browser::open;
pub use server::{App, Limits, Options};
