# Two classes, or three, of flowers.
flowers <- droplevels(iris[iris$Species != "setosa", ])

# Words, truth values, dates and gaps; `y` follows the words and one number.
clinic <- function(rows = 90L) {
  at <- seq_len(rows)
  group <- c("a", "b", "c")[at %% 3L + 1L]
  size <- ((at * 37L) %% 101L) / 10
  y <- ifelse((group == "b") + (size > 5) >= 1L, "ill", "well")
  frame <- data.frame(
    size = size, group = group, day = as.Date("2024-01-01") + (at * 13L) %% 50L,
    old = (at * 7L) %% 5L > 2L, noise = ((at * 53L) %% 97L) / 97, y = y, stringsAsFactors = FALSE
  )
  frame$size[c(3L, 40L)] <- NA
  frame$group[c(5L, 41L)] <- NA
  frame
}

# The program, where the tests know one.
program <- function(...) {
  path <- Sys.getenv("PFCVM_PROGRAM")
  skip_if(path == "" || !file.exists(path), "PFCVM_PROGRAM names no program")
  said <- system2(path, shQuote(c(...)), stdout = TRUE, stderr = tempfile())
  expect_null(attr(said, "status"))
  said
}

bytes_of <- function(path) readBin(path, "raw", file.size(path))

# As the program's CSV has it, with every bit of every number.
write_csv <- function(frame, path) {
  text <- lapply(frame, function(v) {
    cells <- if (is.double(v) && !inherits(v, "Date")) sprintf("%.17g", v) else as.character(v)
    ifelse(is.na(v), "", cells)
  })
  lines <- c(paste(names(frame), collapse = ","), do.call(paste, c(text, sep = ",")))
  writeLines(lines, path)
}
