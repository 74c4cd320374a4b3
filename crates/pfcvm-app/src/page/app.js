// The page as a whole: what the server has on its desk, and which part of it is shown.
import { $, busy, desk, droppable, make, post, problem, refresh, refreshBy, send, size } from './parts.js';
import { showTable } from './table.js';
import { showResult } from './result.js';

/** Tells this page from others. */
const number = globalThis.crypto?.randomUUID?.() ?? String(Math.random());

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
  const has = desk.tables.length + desk.results.length > 0;
  $('new').hidden = !has;
  $('kept').hidden = !has;
  if (kind === 'start') $('new').setAttribute('aria-current', 'page');
  else $('new').removeAttribute('aria-current');
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

let asked = 0;
let answered = 0;
let missed = 0;
let timer = null;
let ended = false;
/** Asks what there is, now, and then again and again. */
async function poll() {
  clearTimeout(timer);
  if (ended) return;
  const turn = ++asked;
  try {
    const answer = await fetch(`state?page=${number}`);
    if (!answer.ok) throw new Error();
    const found = await answer.json();
    // An answer that comes after a later one is out of date: it would show work that is done as under way.
    if (turn < answered) return;
    answered = turn;
    Object.assign(desk, found);
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
  timer = setTimeout(poll, busy(steps) ? 400 : 2000);
}

function lost(text) {
  problem($('lost'), text);
  for (const button of document.querySelectorAll('button:not([role=tab])')) button.disabled = true;
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
refreshBy(poll);
poll();
