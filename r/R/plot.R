# Pictures with base graphics.

colours <- list(main = "#1f5a91", pale = "#9db9d6", second = "#b5541c", grey = "grey60")

#' Pictures of a model
#'
#' \code{"features"}: what decides, with 95 \% intervals; filled dots are certain. \code{"effects"}: what
#' each feature does to the log odds, with two standard deviations. \code{"calibration"}: probabilities
#' beside what happened, on rows that are given. \code{"convergence"}: features and log evidence over the
#' iterations.
#'
#' Evaluations, tests and prices have pictures of their own.
#'
#' @param x A fitted \code{\link{pfcvm}}; a \code{\link{pfcvm_test}}, \code{\link{pfcvm_evaluate}} or
#'   \code{\link{pfcvm_price}}.
#' @param what Which picture; of a test or an evaluation \code{"calibration"} or \code{"roc"}.
#' @param top At most so many features are drawn.
#' @param machine With more than two classes: whose effects, by name or place.
#' @param newdata,y With \code{"calibration"}: rows that did not train, and their classes, as of
#'   \code{\link{pfcvm_test}}.
#' @param class With more than two classes: which class against the rest.
#' @param ... Passed to \code{plot}.
#'
#' @return What is drawn, invisibly.
#' @examples
#' flowers <- iris[iris$Species != "setosa", ]
#' model <- pfcvm(Species ~ ., flowers)
#' plot(model)
#' plot(model, "effects")
#' plot(model, "convergence")
#' @export
plot.pfcvm <- function(x, what = c("features", "effects", "calibration", "convergence"), top = 30L,
                       machine = 1L, newdata = NULL, y = NULL, ...) {
  what <- match.arg(what)
  switch(what,
    features = plot_features(x, top, ...),
    effects = plot_effects(x, top, machine, ...),
    calibration = {
      if (is.null(newdata)) {
        refuse("calibration is seen on rows that did not train; give newdata")
      }
      plot(pfcvm_test(x, newdata, y), "calibration", ...)
    },
    convergence = plot_convergence(x, ...)
  )
}

nothing_to_draw <- function(text) {
  graphics::plot.new()
  graphics::text(0.5, 0.5, text)
  invisible(NULL)
}

# Sets what a picture needs, for as long as the caller runs.
for_now <- function(..., frame = parent.frame()) {
  old <- graphics::par(...)
  do.call("on.exit", list(substitute(graphics::par(old), list(old = old)), add = TRUE), envir = frame)
}

plot_features <- function(x, top, ...) {
  all <- features(x)
  if (nrow(all) == 0L) {
    return(nothing_to_draw("no feature is selected"))
  }
  if (!is.null(all$importance) && !all(is.na(all$importance))) {
    shown <- data.frame(value = all$importance, lower = all$lower, upper = all$upper)
    title <- "rise of the log loss without it, with 95 % interval"
  } else if (!is.null(all$weight)) {
    around <- 1.96 * all$deviation
    shown <- data.frame(value = all$weight, lower = all$weight - around, upper = all$weight + around)
    if (!identical(x$about$kind, "panel")) {
      shown$lower <- pmax(shown$lower, 0) # weights in a kernel are not negative
    }
    title <- "weight, with 95 % interval"
  } else {
    shown <- data.frame(value = all$share, lower = all$share, upper = all$share)
    title <- "mean share of a machine's weights"
  }
  size <- if (grepl("^rise", title)) shown$value else abs(shown$value)
  order <- utils_first(order(-size), top)
  shown <- shown[order, ]
  names <- all$feature[order]
  certain <- if (is.null(all$certain)) rep(TRUE, length(order)) else all$certain[order]
  places <- rev(seq_along(order))
  width <- max(graphics::strwidth(names, units = "inches", cex = 0.8))
  for_now(mar = c(4.2, 1, 1, 1), mai = pmax(graphics::par("mai"), c(0.8, width + 0.3, 0.3, 0.2)))
  graphics::plot(range(c(0, shown$lower, shown$upper), finite = TRUE), c(0.5, length(order) + 0.5),
    type = "n", xlab = title, ylab = "", yaxt = "n", bty = "n", ...)
  graphics::abline(v = 0, col = colours$grey)
  graphics::segments(shown$lower, places, shown$upper, places, col = colours$pale, lwd = 3)
  graphics::points(shown$value, places, pch = 21, col = colours$main,
    bg = ifelse(certain, colours$main, "white"))
  graphics::axis(2, places, names, las = 1, tick = FALSE, cex.axis = 0.8)
  if (!is.null(all$certain)) {
    graphics::mtext("filled: certain", 3, line = 0, adj = 1, cex = 0.7, col = colours$grey)
  }
  invisible(cbind(feature = names, shown, certain = certain))
}

utils_first <- function(values, most) values[seq_len(min(most, length(values)))]

plot_effects <- function(x, top, machine, ...) {
  all <- effects_of(x)[[machine]]
  if (length(all) == 0L) {
    return(nothing_to_draw("no feature is selected"))
  }
  shown <- all[seq_len(min(length(all), top, 12L))]
  limits <- range(unlist(lapply(shown, function(one) {
    c(one$effect - 2 * one$deviation, one$effect + 2 * one$deviation)
  })), finite = TRUE)
  across <- ceiling(sqrt(length(shown)))
  for_now(mfrow = c(ceiling(length(shown) / across), across), mar = c(4, 4, 1, 0.5))
  for (name in names(shown)) {
    one <- shown[[name]]
    if (is.null(one$value)) {
      places <- seq_len(nrow(one))
      graphics::plot(places, one$effect, ylim = limits, xlab = name, ylab = "log odds", xaxt = "n",
        pch = 19, col = colours$main, bty = "n", xlim = c(0.5, nrow(one) + 0.5), ...)
      graphics::segments(places, one$effect - 2 * one$deviation, places,
        one$effect + 2 * one$deviation, col = colours$pale, lwd = 2)
      graphics::axis(1, places, one$word, las = 2, cex.axis = 0.7)
    } else {
      graphics::plot(one$value, one$effect, type = "n", ylim = limits, xlab = name, ylab = "log odds",
        bty = "n", ...)
      graphics::polygon(c(one$value, rev(one$value)),
        c(one$effect - 2 * one$deviation, rev(one$effect + 2 * one$deviation)),
        col = grDevices::adjustcolor(colours$pale, 0.5), border = NA)
      graphics::lines(one$value, one$effect, col = colours$main, lwd = 2)
    }
    graphics::abline(h = 0, col = colours$grey)
  }
  invisible(shown)
}

plot_convergence <- function(x, ...) {
  trace <- x$about$machines[[1L]]$trace
  if (length(trace) == 0L) {
    return(nothing_to_draw("a model file holds no iterations"))
  }
  shown <- data.frame(
    iteration = seq_along(trace),
    features = numbers_of(trace, "features"), samples = numbers_of(trace, "samples"),
    log_evidence = numbers_of(trace, "log_evidence")
  )
  for_now(mfrow = c(2, 1), mar = c(4, 4.2, 1, 0.5))
  counted <- c("features", if (!all(is.na(shown$samples))) "samples")
  graphics::matplot(shown$iteration, shown[counted], type = "s", lty = 1, lwd = 2,
    col = c(colours$main, colours$second), xlab = "iteration", ylab = "kept", bty = "n",
    ylim = c(0, max(shown[counted])), ...)
  graphics::legend("right", counted, col = c(colours$main, colours$second), lwd = 2, bty = "n")
  graphics::plot(shown$iteration, shown$log_evidence, type = "l", lwd = 2, col = colours$main,
    xlab = "iteration", ylab = "log evidence", bty = "n", ...)
  invisible(shown)
}

#' @rdname plot.pfcvm
#' @export
plot.pfcvm_test <- function(x, what = c("calibration", "roc"), class = NULL, ...) {
  plot_curves(x$curves, x$class_names, match.arg(what), class, ...)
}

#' @rdname plot.pfcvm
#' @export
plot.pfcvm_evaluation <- function(x, what = c("calibration", "roc"), class = NULL, ...) {
  plot_curves(x$curves, unlist(x$classes), match.arg(what), class, ...)
}

# Of two classes the curve of the second, of more that of a class against the rest.
plot_curves <- function(curves, classes, what, class, ...) {
  if (is.null(curves)) {
    return(nothing_to_draw("the method gives no probabilities"))
  }
  if (length(classes) == 2L) {
    of <- curves$classes[[1L]]
    name <- classes[2L]
  } else if (is.null(class) && what == "calibration") {
    of <- curves$top
    name <- "the most probable class"
  } else {
    at <- if (is.null(class)) 1L else match(class, classes)
    if (is.na(at)) {
      refuse(sprintf("there is no class `%s`", class))
    }
    of <- curves$classes[[at]]
    name <- classes[at]
  }
  if (what == "roc") {
    return(plot_roc(of, name, ...))
  }
  bins <- of$calibration
  shown <- data.frame(predicted = numbers_of(bins, "predicted"), observed = numbers_of(bins, "observed"),
    lower = vapply(bins, function(bin) as.numeric(bin$interval[[1L]]), 0),
    upper = vapply(bins, function(bin) as.numeric(bin$interval[[2L]]), 0),
    count = numbers_of(bins, "count"))
  graphics::plot(c(0, 1), c(0, 1), type = "n", xlab = paste("predicted probability of", name),
    ylab = "share of rows", bty = "n", asp = 1, ...)
  graphics::abline(0, 1, col = colours$grey, lty = 2)
  graphics::segments(shown$predicted, shown$lower, shown$predicted, shown$upper, col = colours$pale, lwd = 3)
  graphics::lines(shown$predicted, shown$observed, type = "b", pch = 19, col = colours$main)
  invisible(shown)
}

plot_roc <- function(of, name, ...) {
  if (is.null(of$roc)) {
    return(nothing_to_draw("there is one class only"))
  }
  shown <- data.frame(
    false_positive_rate = numbers_of(of$roc, "false_positive_rate"),
    true_positive_rate = numbers_of(of$roc, "true_positive_rate")
  )
  graphics::plot(shown, type = "s", lwd = 2, col = colours$main, bty = "n", asp = 1,
    xlab = "false positive rate", ylab = "true positive rate",
    main = sprintf("%s: AUC %.3f", name, as.numeric(of$auc)), ...)
  graphics::abline(0, 1, col = colours$grey, lty = 2)
  invisible(shown)
}

#' @rdname plot.pfcvm
#' @export
plot.pfcvm_price <- function(x, ...) {
  points <- x$points
  over_rows <- !is.null(points$rows)
  place <- if (over_rows) points$rows else seq_len(nrow(points))
  around <- c(points$log_loss - points$log_loss_error, points$log_loss + points$log_loss_error)
  graphics::plot(range(place), range(around), type = "n", bty = "n", ylab = "log loss of rows that did not train",
    xlab = if (over_rows) "rows" else "features", xaxt = if (over_rows) "s" else "n", ...)
  graphics::segments(place, points$log_loss - points$log_loss_error, place,
    points$log_loss + points$log_loss_error, col = colours$pale, lwd = 3)
  graphics::lines(place, points$log_loss, type = "b", pch = 19, col = colours$main)
  if (!over_rows) {
    graphics::axis(1, place, ifelse(is.finite(points$size), points$size, "all"))
    at <- which(points$size == x$suggested)
    graphics::points(place[at], points$log_loss[at], pch = 1, cex = 2.2, col = colours$second, lwd = 2)
    graphics::mtext("ring: suggested", 3, adj = 1, cex = 0.7, col = colours$grey)
  }
  invisible(points)
}
