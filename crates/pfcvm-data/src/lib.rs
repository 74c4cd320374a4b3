//! Where the data sets of pfcvm are, and how to get them.
//!
//! | part | what it does |
//! |---|---|
//! | [`catalogue`], [`find`] | what is known: size, classes, origin, licence, files with their checksums |
//! | [`Folder`] | where files are kept, and which of them are there |
//! | [`fetch`] | gets the files of a set over HTTPS, from where they are published or from a mirror |
//!
//! Every file has a known SHA-256, so it does not matter who serves it. A file that cannot be
//! checked is never fetched: its entry says how to get it by hand.
//!
//! A download is written to `NAME.part` beside its target and takes its name when its checksum is
//! right; one that was cut goes on where it stopped.
//!
//! ```
//! use pfcvm_data::{Folder, Status, find};
//! use std::path::Path;
//!
//! let colon = find("colon")?;
//! assert_eq!((colon.samples, colon.features), (Some(62), Some(2000)));
//!
//! let folder = Folder::find(Some(Path::new("no/such/folder")));
//! assert_eq!(folder.status(colon), Status::Missing);
//! assert_eq!(folder.locate(colon), None);
//!
//! let error = find("colom").unwrap_err();
//! assert!(error.to_string().contains("did you mean `colon`?"));
//! # Ok::<(), pfcvm_data::Error>(())
//! ```

#[cfg(feature = "fetch")]
mod address;
mod catalogue;
mod checksum;
mod convert;
#[cfg(feature = "fetch")]
mod download;
#[cfg(not(feature = "fetch"))]
#[path = "no_download.rs"]
mod download;
mod error;
mod fetch;
mod files;
mod folder;

pub use catalogue::{Class, DataFile, DataSet, Source, catalogue, find};
pub use convert::Conversion;
pub use error::Error;
pub use fetch::{Fetched, Options, Progress, fetch};
pub use folder::{Choice, Folder, Status};
