#' A drawn set of gene expressions
#'
#' Values on a logarithmic scale, as after normalisation: every gene has its own level, genes come in
#' correlated modules, and a few of them are higher in the second type. Which ones is known, so that a
#' list can be judged. The same numbers give the same set on every machine, and R's own generator is left
#' as it is.
#'
#' @param samples,genes How many.
#' @param informative How many genes differ between the types.
#' @param difference By how many standard deviations.
#' @param seed Of the draw, a whole number.
#'
#' @return A data frame with the factor \code{type} (\code{healthy}, \code{tumour}) and a column for each
#'   gene; its attribute \code{informative} names the genes that differ.
#' @examples
#' genes <- drawn_genes(samples = 10, genes = 20)
#' attr(genes, "informative")
#' @export
drawn_genes <- function(samples = 60L, genes = 500L, informative = 5L, difference = 1.6, seed = 1L) {
  samples <- one_whole(samples, "samples")
  genes <- one_whole(genes, "genes")
  informative <- one_whole(informative, "informative")
  if (informative > genes) {
    refuse("informative must not be above genes")
  }
  uniform <- uniforms(2 * samples * genes + samples * ceiling(genes / 10) * 2 + genes, seed)
  taken <- 0
  draw <- function(count) {
    first <- uniform[taken + seq_len(count)]
    second <- uniform[taken + count + seq_len(count)]
    taken <<- taken + 2 * count
    sqrt(-2 * log(first)) * cos(2 * pi * second)
  }
  own <- matrix(draw(samples * genes), samples)
  modules <- matrix(draw(samples * ceiling(genes / 10)), samples)
  level <- 4 + 8 * uniform[taken + seq_len(genes)]
  shared <- modules[, (seq_len(genes) - 1L) %/% 10L + 1L, drop = FALSE]
  values <- 0.8 * own + 0.6 * shared
  type <- rep(c("healthy", "tumour"), length.out = samples)
  # One of each module, so that its neighbours look alike and are not.
  chosen <- (seq_len(informative) - 1L) * max(1, genes %/% max(1, informative)) + 1L
  values[type == "tumour", chosen] <- values[type == "tumour", chosen] + difference
  values <- round(sweep(values, 2L, level, `+`), 3L)
  colnames(values) <- sprintf("gene%d", seq_len(genes))
  frame <- data.frame(type = factor(type), values)
  attr(frame, "informative") <- colnames(values)[chosen]
  frame
}

# Numbers between 0 and 1 by the minimal standard generator, exact in double precision.
uniforms <- function(count, seed) {
  state <- 1 + (one_whole(seed, "seed") * 7919) %% 2147483646
  out <- numeric(count)
  for (at in seq_len(count)) {
    state <- (16807 * state) %% 2147483647
    out[at] <- state / 2147483647
  }
  out
}
