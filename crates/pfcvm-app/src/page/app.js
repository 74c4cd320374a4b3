// The page as a whole: what the server has on its desk, and which part of it is shown.
// Names from files become text nodes and attributes, never markup.
import { showTable } from './table.js';
import { showResult } from './result.js';

export const $ = (id) => document.getElementById(id);
const number = globalThis.crypto?.randomUUID?.() ?? String(Math.random());

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

/** Says something went wrong, or no longer. */
export function problem(element, text) {
  element.textContent = text ?? '';
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

export const size = (bytes) => {
  const units = ['bytes', 'KB', 'MB', 'GB'];
  let at = 0;
  while (bytes >= 1000 && at < 3) { bytes /= 1024; at++; }
  return `${at && bytes < 10 ? bytes.toFixed(1) : Math.round(bytes)} ${units[at]}`;
};
export const short = (value) => String(Number(Number(value).toPrecision(4)));
export const counted = (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
export const busy = (steps) => steps.some((step) => step.stage === 'running' || step.stage === 'waiting');

async function addTables(files) {
  problem($('upload-problem'));
  try {
    let first = null;
    for (const file of files.slice(0, 20)) {
      $('upload').textContent = `Taking in ${file.name} …`;
      $('upload-bar').hidden = false;
      const { id } = await send('tables', file, (share) => { $('upload-bar').value = share; });
      first ??= id;
    }
    await refresh();
    location.hash = `table-${first}`;
  } catch (error) {
    problem($('upload-problem'), error.message);
  } finally {
    $('upload').textContent = '';
    $('upload-bar').hidden = true;
    $('file').value = '';
  }
}

/** What is to be shown: the start, a table or a result. */
function place() {
  const [, kind, id] = location.hash.match(/^#(table|result)-(\d+)$/) ?? [];
  const found = { table: desk.tables, result: desk.results }[kind]?.find((one) => one.id === Number(id));
  return found ? { kind, found } : { kind: 'start' };
}

let shown = '';
function show() {
  const { kind, found } = place();
  for (const name of ['start', 'table', 'result']) $(name).hidden = name !== kind;
  const name = found ? `${kind}-${found.id}` : 'start';
  document.title = found ? `${found.name} – pfcvm` : 'pfcvm';
  if (kind !== 'result') $('main').classList.remove('wide');
  if (kind === 'table') showTable(found, shown !== name);
  if (kind === 'result') showResult(found, shown !== name);
  if (shown && shown !== name) { scrollTo(0, 0); $('main').focus({ preventScroll: true }); }
  shown = name;
  showTrail(name);
}

function showTrail(current) {
  const of = (kind, one, text, isBusy) => make('li', {}, make('a', {
    href: `#${kind}-${one.id}`, 'aria-current': `${kind}-${one.id}` === current && 'page',
    class: isBusy && 'busy',
  }, text));
  const items = [
    ...desk.tables.map((table) => of('table', table, table.name, busy([table.step]))),
    ...desk.results.map((result, at) => of('result', result, `Result ${at + 1}: ${result.name}`, busy(result.steps))),
  ];
  const wanted = make('ul', {}, ...items);
  const trail = $('trail');
  // A list that is the same stays, and with it the focus.
  if (trail.innerHTML !== wanted.outerHTML) trail.replaceChildren(...(items.length ? [wanted] : []));
}

let missed = 0;
let timer = null;
let ended = false;
/** Asks what there is, now, and then again and again. */
export async function refresh() {
  clearTimeout(timer);
  if (ended) return;
  try {
    const answer = await fetch(`state?page=${number}`);
    if (!answer.ok) throw new Error();
    Object.assign(desk, await answer.json());
    missed = 0;
    problem($('lost'));
    $('formats').textContent = `${desk.formats}; packed or not, up to ${size(desk.table_bytes)}.`;
    show();
  } catch (error) {
    if (!(error instanceof TypeError) && error.message) console.error(error);
    missed++;
    if (missed >= 3) lost('The program has ended, and with it all that was not saved. Start pfcvm app again.');
  }
  clearTimeout(timer);
  const steps = [...desk.tables.map((table) => table.step), ...desk.results.flatMap((result) => result.steps)];
  timer = setTimeout(refresh, busy(steps) ? 400 : 2000);
}

function lost(text) {
  problem($('lost'), text);
  for (const button of document.querySelectorAll('button')) button.disabled = true;
}

$('file').addEventListener('change', (event) => addTables([...event.target.files]));
droppable($('drop'), addTables);
// A file that misses its place must not replace the page.
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  if (event.dataTransfer?.files.length) { location.hash = 'start'; addTables([...event.dataTransfer.files]); }
});
addEventListener('hashchange', show);
addEventListener('pagehide', () => navigator.sendBeacon(`leave?page=${number}`));
addEventListener('pageshow', (event) => { if (event.persisted) refresh(); });
$('end').addEventListener('click', async () => {
  await post('end').catch(() => {});
  ended = true;
  clearTimeout(timer);
  lost('The program has ended, and all its files are removed. You can close this page.');
});
refresh();
