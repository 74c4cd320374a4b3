//! How much memory the system would give to this process, as far as it tells.
//!
//! Linux tells it in files: what is free, what control groups (containers, batch systems) allow, and
//! what `ulimit` does. Other systems are not asked.

use std::fs::read_to_string;
use std::path::Path;

/// A cache that is not large.
const ORDINARY: u64 = 64 << 20;

/// Addresses that are taken and never written to, by the allocator and, for each thread, by its stack and the
/// products of matrices, whose library takes twice the largest cache. Measured where caches have 64 and 260 MiB, with
/// an allocator that takes more than most do.
fn unused(threads: u64, cache: u64) -> u64 {
    match cache <= ORDINARY {
        true => (250 << 20) + (160 << 20) * threads,
        false => (900 << 20) + ((32 << 20) + 4 * cache) * threads,
    }
}

/// Memory that this process can still have with so many threads, in MiB: the least of what is free and
/// what the limits on it leave. Nothing where the system does not tell.
pub fn available_memory_mib(threads: usize) -> Option<u64> {
    let text = |path: &str| read_to_string(path).unwrap_or_default();
    let (meminfo, status) = (text("/proc/meminfo"), text("/proc/self/status"));
    let free = kibibytes(&meminfo, "MemAvailable:");
    let cache = largest_cache(&|file| read_to_string(file).ok());
    let unused = unused(threads as u64, cache);
    let limits = left_by_limits(&text("/proc/self/limits"), &status, unused);
    let groups = left_by_groups(&text("/proc/self/cgroup"), &|file| read_to_string(file).ok());
    let least = free.into_iter().chain(limits).chain(groups).min();
    least.map(|bytes| bytes >> 20)
}

/// A value such as `MemAvailable:   123 kB`, in bytes.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.split_whitespace().next()?.parse().ok()?;
    number.checked_mul(1 << 10)
}

/// The largest cache of the first processor, in bytes.
fn largest_cache(read: &dyn Fn(&str) -> Option<String>) -> u64 {
    let files = (0..8).map(|at| format!("/sys/devices/system/cpu/cpu0/cache/index{at}/size"));
    let size = |file: String| read(&file)?.trim().strip_suffix('K')?.parse::<u64>().ok();
    files.filter_map(size).max().map_or(ORDINARY, |kib| kib.saturating_mul(1 << 10))
}

/// What the limits on addresses and data leave, where so many count that are not used.
fn left_by_limits(limits: &str, status: &str, unused: u64) -> Option<u64> {
    let used = kibibytes(status, "VmRSS:").unwrap_or(0).saturating_add(unused);
    let left = |limit: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(limit))?;
        // `unlimited` is no number.
        let most: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(most.saturating_sub(used))
    };
    left("Max address space").into_iter().chain(left("Max data size")).min()
}

/// What the control groups of a process leave, each within the one above it.
fn left_by_groups(groups: &str, read: &dyn Fn(&Path) -> Option<String>) -> Option<u64> {
    let of_line = |line: &str| -> Option<u64> {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let (root, most, used, cache) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "),
            names if names.split(',').any(|name| name == "memory") => (
                "/sys/fs/cgroup/memory",
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
                "total_inactive_file ",
            ),
            _ => return None,
        };
        let number = |file: &Path| read(file)?.trim().parse::<u64>().ok();
        let folder = Path::new(root).join(path.trim_start_matches('/'));
        let above = folder.ancestors().filter(|above| above.starts_with(root));
        let left = above.filter_map(|folder| {
            let most = number(&folder.join(most))?;
            let used = number(&folder.join(used)).unwrap_or(0);
            // Pages of files count as used and are given up when others need them.
            let stat = read(&folder.join("memory.stat")).unwrap_or_default();
            let cached = stat.lines().find_map(|line| line.strip_prefix(cache));
            let cached = cached.and_then(|number| number.trim().parse().ok()).unwrap_or(0);
            Some(most.saturating_sub(used.saturating_sub(cached)))
        });
        left.min()
    };
    groups.lines().filter_map(of_line).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_leave_what_is_not_used() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                      Max data size             unlimited            unlimited            bytes\n\
                      Max address space         3000000              unlimited            bytes\n";
        let status = "VmSize:\t 9 kB\nVmRSS:\t    1000 kB\n";
        assert_eq!(left_by_limits(limits, status, 0), Some(1_976_000));
        assert_eq!(left_by_limits(limits, status, 976_000), Some(1_000_000));
        assert_eq!(left_by_limits(limits, status, 4_000_000), Some(0));
        assert_eq!(left_by_limits("", status, 0), None);
        assert_eq!(
            kibibytes("MemFree: 1 kB\nMemAvailable:  2048 kB\n", "MemAvailable:"),
            Some(2 << 20)
        );
    }

    #[test]
    fn the_largest_cache_counts() {
        let read = |file: &str| -> Option<String> {
            let sizes = ["48K\n", "32K\n", "nothing\n", "266240K\n"];
            let at: usize = file.split("index").nth(1)?.split('/').next()?.parse().ok()?;
            sizes.get(at).map(|size| size.to_string())
        };
        assert_eq!(largest_cache(&read), 260 << 20);
        assert_eq!(largest_cache(&|_| None), ORDINARY);
    }

    #[test]
    fn groups_count_with_those_above_them() {
        let read = |file: &Path| -> Option<String> {
            let text = match file.to_str()? {
                "/sys/fs/cgroup/a/b/memory.max" => "max\n",
                "/sys/fs/cgroup/a/memory.max" => "5000\n",
                "/sys/fs/cgroup/a/memory.current" => "3000\n",
                "/sys/fs/cgroup/a/memory.stat" => "anon 1\ninactive_file 1000\n",
                "/sys/fs/cgroup/memory/c/memory.limit_in_bytes" => "700\n",
                _ => return None,
            };
            Some(text.into())
        };
        assert_eq!(left_by_groups("0::/a/b\n", &read), Some(3000));
        assert_eq!(left_by_groups("4:cpu,memory:/c\n0::/a/b\n", &read), Some(700));
        assert_eq!(left_by_groups("0::/\nnonsense\n", &read), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_tells() {
        assert!(available_memory_mib(1).is_some_and(|mib| mib > 0));
    }
}
