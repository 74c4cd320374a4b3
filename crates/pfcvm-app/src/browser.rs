//! The user's browser.

use std::process::{Command, Stdio};

/// Asks the system to open an address. Returns whether somebody was there to ask.
pub fn open(address: &str) -> bool {
    let mut command = match () {
        () if cfg!(target_os = "macos") => Command::new("open"),
        () if cfg!(windows) => {
            let mut command = Command::new("rundll32");
            command.arg("url.dll,FileProtocolHandler");
            command
        }
        () => {
            // Without a screen a text browser might take over the terminal.
            let screen =
                ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
            if !screen {
                return false;
            }
            Command::new("xdg-open")
        }
    };
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    // It may last as long as the browser does.
    std::thread::spawn(move || child.wait());
    true
}
