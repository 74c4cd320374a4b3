//! A file served by its name from this very computer.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

/// Pieces of an answer.
const PIECES: usize = 16;

/// Serves it until the program ends, with a pause after each piece; gives the address of the server.
pub fn serve(name: &'static str, file: Vec<u8>, pause: Duration) -> std::io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = format!("http://{}", listener.local_addr()?);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // Whoever asks may be gone before it has all of the answer.
            let _ = answer(stream, name, &file, pause);
        }
    });
    Ok(address)
}

fn answer(mut stream: TcpStream, name: &str, file: &[u8], pause: Duration) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    let mut begin = 0;
    while let Some(line) = lines.next().transpose()?.filter(|line| !line.is_empty()) {
        let range = line.to_lowercase();
        if let Some(from) = range.strip_prefix("range: bytes=") {
            begin = from.trim_end_matches('-').parse().unwrap_or(0).min(file.len());
        }
    }
    let (status, range) = match begin {
        _ if !request.contains(name) => ("404 Not Found", String::new()),
        0 => ("200 OK", String::new()),
        begin => {
            let (last, all) = (file.len() - 1, file.len());
            ("206 Partial Content", format!("Content-Range: bytes {begin}-{last}/{all}\r\n"))
        }
    };
    let body = if status.starts_with('4') { &[] } else { &file[begin..] };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\n{range}Content-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    for piece in body.chunks((file.len() / PIECES).max(1)) {
        stream.write_all(piece)?;
        std::thread::sleep(pause);
    }
    Ok(())
}
