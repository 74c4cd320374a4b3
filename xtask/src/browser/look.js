// Runs inside the page and returns what is wrong with it, as sentences.
async (expected, width, scheme) => {
  // A page of another size or colour is laid out a moment after it was asked for.
  const ready = () => innerWidth === width && matchMedia(`(prefers-color-scheme: ${scheme})`).matches;
  for (let tries = 0; !ready(); tries++) {
    if (tries > 500) throw new Error(`the page is ${innerWidth} pixels wide, not ${width}`);
    await new Promise((done) => setTimeout(done, 10));
  }
  const problems = new Set();
  const root = document.documentElement;
  const shown = (e) => { const r = e.getBoundingClientRect(); return r.width > 1 && r.height > 1; };
  const short = (text) => JSON.stringify(text.trim().slice(0, 30));

  if (root.scrollWidth > root.clientWidth)
    problems.add(`the page is ${root.scrollWidth} pixels wide and has to be scrolled sideways`);

  for (const name of expected) {
    const ids = [name, `${name}-narrow`, `${name}-wide`];
    const pictures = ids.map((id) => document.getElementById(id)).filter((e) => e && shown(e));
    if (!pictures.some((e) => e.localName === 'svg')) problems.add(`the picture ${name} is missing`);
  }
  for (const figure of document.querySelectorAll('figure'))
    if (![...figure.querySelectorAll('svg, table')].some(shown))
      problems.add(`the figure ${short(figure.innerText)} shows nothing`);

  for (const svg of [...document.querySelectorAll('svg')].filter(shown)) {
    if (!svg.querySelector(':scope > title')?.textContent || svg.getAttribute('role') !== 'img')
      problems.add(`the picture ${svg.id} has no name for screen readers`);
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')];
    const boxes = texts.map((t) => t.getBoundingClientRect());
    boxes.forEach((a, i) => {
      if (a.left < frame.left - 1 || a.right > frame.right + 1 || a.top < frame.top - 1 || a.bottom > frame.bottom + 1)
        problems.add(`${short(texts[i].textContent)} sticks out of the picture ${svg.id}`);
      for (let j = 0; j < i; j++) {
        const b = boxes[j];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        // Boxes of text are higher than letters, so rows may touch.
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 4)
          problems.add(`${short(texts[i].textContent)} and ${short(texts[j].textContent)} overlap in ${svg.id}`);
      }
    });
  }

  const numbers = (colour) => {
    const found = colour.match(/^rgba?\(([^)]+)\)$/)?.[1].split(/[ ,/]+/).map(Number);
    return found ? [...found.slice(0, 3), found[3] ?? 1] : [0, 0, 0, 0];
  };
  const background = (element) => {
    let [r, g, b, left] = [0, 0, 0, 1];
    for (let e = element; e; e = e.parentElement) {
      const [red, green, blue, alpha] = numbers(getComputedStyle(e).backgroundColor);
      [r, g, b] = [r + left * alpha * red, g + left * alpha * green, b + left * alpha * blue];
      left *= 1 - alpha;
    }
    return [r + left * 255, g + left * 255, b + left * 255];
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || seen.has(element) || !shown(element) || element.closest('title, desc')) continue;
    // Thousands of rows of a table look alike.
    if (seen.size > 3000) break;
    seen.add(element);
    const style = getComputedStyle(element);
    const ink = light(numbers(element.closest('svg') ? style.fill : style.color).slice(0, 3));
    const paper = light(background(element));
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    if (ratio < 4.5) problems.add(`${short(element.textContent)} has a contrast of only ${ratio.toFixed(1)}`);
  }
  return { problems: [...problems], brightness: light(background(document.body)), height: root.scrollHeight };
}
