//! A library that stands between a program and the system and makes one call that changes files fail,
//! or all from one on. It is compiled by the test that uses it and loaded by `LD_PRELOAD`.
//!
//! `FAULT_LOG` names a file that gets a letter for every call; `FAULT_AT` is the number of the call that
//! fails, from 1; `FAULT_HOW` is `once`, `from` (all later ones fail too, as on a disk that is full) or
//! `torn` (a write gets half of its bytes to the disk, later ones none). With `FAULT_MEMORY` it is
//! memory that is refused instead, and the calls are those that ask for some.

#![no_std]

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

#[link(name = "c")]
unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    fn getenv(name: *const c_char) -> *const c_char;
    fn atoi(text: *const c_char) -> c_int;
    fn lseek(file: c_int, offset: i64, whence: c_int) -> i64;
    fn close(file: c_int) -> c_int;
    fn __errno_location() -> *mut c_int;
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    fn __libc_realloc(memory: *mut c_void, size: usize) -> *mut c_void;
    fn __libc_memalign(alignment: usize, size: usize) -> *mut c_void;
}

const NEXT: *mut c_void = -1isize as *mut c_void;
const ENOSPC: c_int = 28;
const EIO: c_int = 5;
const ENOMEM: c_int = 12;
const SEEK_CUR: c_int = 1;
/// `O_WRONLY | O_RDWR`, and how the log is opened: `O_WRONLY | O_CREAT | O_APPEND`.
const WRITES: c_int = 3;
const LOG: c_int = 0o2101;

static CALLS: AtomicUsize = AtomicUsize::new(0);
static ASKED: AtomicUsize = AtomicUsize::new(0);

/// What a call does.
#[derive(PartialEq)]
enum Way {
    Works,
    Fails,
    Half,
}

type Write = unsafe extern "C" fn(c_int, *const c_void, usize) -> isize;
type Open = unsafe extern "C" fn(*const c_char, c_int, c_uint) -> c_int;
type OfFile = unsafe extern "C" fn(c_int) -> c_int;
type OfLength = unsafe extern "C" fn(c_int, i64) -> c_int;
type OfPath = unsafe extern "C" fn(*const c_char, c_uint) -> c_int;
type OfTwo = unsafe extern "C" fn(*const c_char, *const c_char) -> c_int;
type Map = unsafe extern "C" fn(*mut c_void, usize, c_int, c_int, c_int, i64) -> *mut c_void;
type Link = unsafe extern "C" fn(c_int, *const c_char, c_int, *const c_char, c_int) -> c_int;

/// The system's own function of that name.
unsafe fn real<F: Copy>(name: &CStr) -> F {
    unsafe { core::mem::transmute_copy(&dlsym(NEXT, name.as_ptr())) }
}

unsafe fn variable(name: &CStr) -> Option<*const c_char> {
    let text = unsafe { getenv(name.as_ptr()) };
    (!text.is_null()).then_some(text)
}

/// Counts a call, and says what it is to do.
unsafe fn way(letter: u8) -> Way {
    unsafe {
        if variable(c"FAULT_MEMORY").is_some() {
            return Way::Works;
        }
        let call = CALLS.fetch_add(1, Relaxed) + 1;
        if let Some(log) = variable(c"FAULT_LOG") {
            let file = real::<Open>(c"open64")(log, LOG, 0o600);
            real::<Write>(c"write")(file, (&raw const letter).cast(), 1);
            close(file);
        }
        let at = variable(c"FAULT_AT").map_or(0, |text| atoi(text)) as usize;
        let how = variable(c"FAULT_HOW").map_or(b'o', |text| *text as u8);
        match (how, call) {
            _ if at == 0 || call < at => Way::Works,
            (b'o', call) if call > at => Way::Works,
            (b't', call) if call == at && letter == b'w' => Way::Half,
            _ => Way::Fails,
        }
    }
}

/// What a call that fails gives.
unsafe fn failed(error: c_int) -> c_int {
    unsafe { *__errno_location() = error };
    -1
}

#[unsafe(no_mangle)]
unsafe extern "C" fn write(file: c_int, bytes: *const c_void, count: usize) -> isize {
    unsafe {
        let system: Write = real(c"write");
        // What is printed, and files; not pipes between threads, nor what is told on standard error.
        let counts = file == 1 || (file > 2 && lseek(file, 0, SEEK_CUR) >= 0);
        match if counts { way(b'w') } else { Way::Works } {
            Way::Works => system(file, bytes, count),
            Way::Half if count > 1 => system(file, bytes, count / 2),
            _ => failed(ENOSPC) as isize,
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn open64(path: *const c_char, how: c_int, mode: c_uint) -> c_int {
    unsafe {
        match how & WRITES != 0 && way(b'o') != Way::Works {
            false => real::<Open>(c"open64")(path, how, mode),
            true => failed(ENOSPC),
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fsync(file: c_int) -> c_int {
    unsafe { if way(b's') == Way::Works { real::<OfFile>(c"fsync")(file) } else { failed(EIO) } }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fdatasync(file: c_int) -> c_int {
    unsafe {
        if way(b's') == Way::Works { real::<OfFile>(c"fdatasync")(file) } else { failed(EIO) }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ftruncate64(file: c_int, length: i64) -> c_int {
    unsafe {
        match way(b't') == Way::Works {
            true => real::<OfLength>(c"ftruncate64")(file, length),
            false => failed(EIO),
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mkdir(path: *const c_char, mode: c_uint) -> c_int {
    unsafe {
        match way(b'd') == Way::Works {
            true => real::<OfPath>(c"mkdir")(path, mode),
            false => failed(ENOSPC),
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rename(from: *const c_char, to: *const c_char) -> c_int {
    unsafe {
        match way(b'r') == Way::Works {
            true => real::<OfTwo>(c"rename")(from, to),
            false => failed(EIO),
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn linkat(
    from_folder: c_int,
    from: *const c_char,
    to_folder: c_int,
    to: *const c_char,
    flags: c_int,
) -> c_int {
    unsafe {
        match way(b'l') == Way::Works {
            true => real::<Link>(c"linkat")(from_folder, from, to_folder, to, flags),
            false => failed(ENOSPC),
        }
    }
}

/// Whether there is no memory this time.
unsafe fn refused() -> bool {
    unsafe {
        if variable(c"FAULT_MEMORY").is_none() {
            return false;
        }
        let call = ASKED.fetch_add(1, Relaxed) + 1;
        let at = variable(c"FAULT_AT").map_or(0, |text| atoi(text)) as usize;
        let how = variable(c"FAULT_HOW").map_or(b'o', |text| *text as u8);
        at > 0 && (call == at || (call > at && how == b'f'))
    }
}

/// Where the program's allocator has its memory from.
#[unsafe(no_mangle)]
unsafe extern "C" fn mmap(
    at: *mut c_void,
    length: usize,
    access: c_int,
    flags: c_int,
    file: c_int,
    offset: i64,
) -> *mut c_void {
    unsafe {
        if file < 0 && refused() {
            failed(ENOMEM);
            return -1isize as *mut c_void;
        }
        real::<Map>(c"mmap")(at, length, access, flags, file, offset)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    unsafe { if refused() { core::ptr::null_mut() } else { __libc_malloc(size) } }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    unsafe { if refused() { core::ptr::null_mut() } else { __libc_calloc(count, size) } }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(memory: *mut c_void, size: usize) -> *mut c_void {
    unsafe { if refused() { core::ptr::null_mut() } else { __libc_realloc(memory, size) } }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(
    memory: *mut *mut c_void,
    alignment: usize,
    size: usize,
) -> c_int {
    unsafe {
        let given =
            if refused() { core::ptr::null_mut() } else { __libc_memalign(alignment, size) };
        if given.is_null() {
            return ENOMEM;
        }
        *memory = given;
        0
    }
}
