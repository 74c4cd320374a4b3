// What all parts of the page need. Names from files become text nodes and attributes, never markup.

export const $ = (id) => document.getElementById(id);

/** What the server has. */
export const desk = { version: '', formats: '', table_bytes: 0, tables: [], results: [] };

/** An element with attributes and content. */
export function make(name, attributes = {}, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, '');
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...content);
  return element;
}

/** Says something, once: what is said already is not read out again. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Says something went wrong, or no longer. */
export function problem(element, text) {
  say(element, text || '');
  element.hidden = !text;
}

/** Asks the server to do something; a refusal is an error with its sentence. */
export async function post(address, content) {
  const answer = await fetch(address, { method: 'POST', body: content == null ? '' : JSON.stringify(content) });
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(said.error ?? `The server refused (${answer.status}).`);
  refresh();
  return said;
}

/** Sends a file, and tells how far it is. */
export function send(address, file, progress) {
  return new Promise((done, refused) => {
    if (file.size > desk.table_bytes) {
      refused(new Error(`${file.name} is larger than ${size(desk.table_bytes)}; use the program on the command line.`));
      return;
    }
    const request = new XMLHttpRequest();
    request.open('POST', `${address}?name=${encodeURIComponent(file.name)}`);
    request.upload.onprogress = (event) => progress(event.loaded / Math.max(event.total, 1));
    request.onerror = () => refused(new Error('The file could not be sent. Is the program still running?'));
    request.onload = () => {
      let said = {};
      try { said = JSON.parse(request.responseText); } catch { /* a refusal without words */ }
      if (request.status === 200) done(said);
      else refused(new Error(said.error ?? `The file was refused (${request.status}).`));
      refresh();
    };
    request.send(file);
  });
}

/** Makes a place where files can be dropped. */
export function droppable(element, take) {
  const over = (event) => { event.preventDefault(); event.stopPropagation(); element.classList.add('over'); };
  element.addEventListener('dragenter', over);
  element.addEventListener('dragover', over);
  element.addEventListener('dragleave', () => element.classList.remove('over'));
  element.addEventListener('drop', (event) => {
    event.preventDefault();
    event.stopPropagation();
    element.classList.remove('over');
    if (event.dataTransfer.files.length) take([...event.dataTransfer.files]);
  });
}

/** Powers of 1024, as the program itself counts bytes. */
export const size = (bytes) => {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  let at = 0;
  while (bytes >= 1000 && at < 3) { bytes /= 1024; at++; }
  return `${bytes < 10 ? Number(bytes.toFixed(1)) : Math.round(bytes)}\u00a0${units[at]}`;
};
export const short = (value) => String(Number(Number(value).toPrecision(4)));
export const counted = (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
export const busy = (steps) => steps.some((step) => step.stage === 'running' || step.stage === 'waiting');

let again = async () => {};
/** Says how the server is asked what it has. */
export const refreshBy = (ask) => { again = ask; };
/** Asks the server what it has, now. */
export const refresh = () => again();
