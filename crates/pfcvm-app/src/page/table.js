// A table: its columns, the label, and the button.
import { $, counted, make, post, problem, refresh, say, short, size } from './parts.js';

const SHOWN = 60;
const KINDS = { number: 'numbers', words: 'words', date: 'dates', ignore: 'left out' };
const NAMES = { number: 'numbers', words: 'words', date: 'dates', label: 'label', left_out: 'left out' };

/** What is known of the table that is shown. */
let outline = null;
let id = 0;
let most = SHOWN;
/** What the user says of columns, by name. */
let said = new Map();

export async function showTable(table, isNew) {
  if (isNew || id !== table.id) {
    [outline, id, most, said] = [null, table.id, SHOWN, new Map()];
    $('table-body').hidden = true;
    say($('table-status'), 'Looking at the columns …');
    problem($('table-problem'));
    $('find').value = '';
    $('ask').reset();
  }
  $('table-name').textContent = table.name;
  const { stage, progress, error } = table.step;
  if (stage === 'failed' || stage === 'stopped') {
    say($('table-status'), `${size(table.bytes)}. It cannot be used as it is.`);
    problem($('table-problem'), error || 'Reading was stopped.');
  } else if (stage !== 'done') {
    say($('table-status'), progress ? `${progress[0].toUpperCase()}${progress.slice(1)}` : 'Looking at the columns …');
  } else if (!outline) {
    outline = {};
    const wanted = id;
    const found = await fetch(`tables/${id}/columns`).then((answer) => answer.json()).catch(() => null);
    if (wanted !== id) return;
    outline = found;
    if (found) fill(table);
  }
}

function fill(table) {
  const { rows, columns, format, notes, label } = outline;
  say($('table-status'), `${counted(rows, 'row')} and ${counted(columns.length, 'column')} (${format}, ${size(table.bytes)})`);
  const apart = !columns.some((column) => column.kind === 'label');
  const possible = columns.filter((column) => column.could_be_label).slice(0, 2000);
  const option = (column) => make('option', { value: column.label, selected: column.label === label }, column.name);
  $('label').replaceChildren(...possible.map(option));
  $('label').closest('.field').querySelector('label').hidden = apart;
  $('label').hidden = apart;
  const none = !apart && !possible.length;
  $('ask').querySelector('[type=submit]').disabled = none;
  problem($('table-problem'), none && 'No column could be the label: it must have from 2 to 100 values, each in two rows or more.');
  $('table-notes').replaceChildren(...(notes.length ? [noted(notes)] : []));
  showLabel();
  showColumns();
  $('table-body').hidden = false;
}

function noted(notes) {
  const list = make('ul', {}, ...notes.map((note) => make('li', {}, note)));
  return make('details', { class: 'notes' }, make('summary', {}, `What was noticed while reading (${notes.length})`), list);
}

function showLabel() {
  const column = outline.columns.find((one) => one.label === $('label').value);
  const hint = $('label-hint');
  const classes = column?.words ?? [];
  $('label-classes').replaceChildren(...(classes.length > 1 ? classes.map(bar) : []));
  const ratio = outline.columns.length / Math.max(outline.rows, 1);
  $('go-hint').textContent = outline.rows > 5000 || ratio > 20 ? 'This may take some minutes; you can stop it.' : '';
  if ($('label').hidden) { hint.textContent = 'The file keeps its labels apart from its columns.'; return; }
  if (!column) { hint.textContent = ''; return; }
  const words = classes.slice(0, 6).map(([word, rows]) => `${word} in ${counted(rows, 'row')}`);
  const more = column.values - words.length;
  hint.textContent = words.length ? words.join(', ') + (more > 0 ? ` and ${more} more` : '') : counted(column.values, 'value');
}

function bar([, rows]) {
  const part = make('span');
  part.style.flexGrow = rows;
  return part;
}

function showColumns() {
  const wanted = $('find').value.trim().toLowerCase();
  const found = outline.columns.filter((column) => column.name.toLowerCase().includes(wanted));
  // Columns without names are numbered anew for each label, so that nothing can be said of them by name.
  const named = outline.columns.every((column) => column.name === column.label);
  $('columns').tBodies[0].replaceChildren(...found.slice(0, most).map((column) => row(column, named)));
  $('more-columns').hidden = found.length <= most;
}

function row(column, named) {
  const isLabel = !$('label').hidden && column.label === $('label').value;
  const option = (kind, text) => make('option', { value: kind, selected: said.get(column.name) === kind }, text);
  const others = Object.entries(KINDS).filter(([kind]) => kind !== column.kind && !(kind === 'ignore' && column.kind === 'left_out'));
  const foundOut = column.kind === 'label' ? 'as found' : NAMES[column.kind];
  const select = make('select', { 'aria-label': `What ${column.name} holds` }, option('', foundOut), ...others.map(([kind, text]) => option(kind, text)));
  select.addEventListener('change', () => { if (select.value) said.set(column.name, select.value); else said.delete(column.name); });
  const holds = isLabel ? make('span', { class: 'none' }, 'what is predicted') : named ? select : foundOut;
  const gaps = make('td', { class: column.gaps ? 'number gappy' : 'number' }, column.kind === 'left_out' ? '' : String(column.gaps));
  return make('tr', { class: isLabel && 'is-label' }, make('th', { scope: 'row' }, column.name), make('td', {}, holds), gaps, make('td', {}, seen(column)));
}

/** A small picture, and the same in words. */
function seen(column) {
  const counts = column.bars.length ? column.bars : column.words.map(([, rows]) => rows);
  const text = make('span', {}, inWords(column));
  if (!counts.length) return make('div', { class: 'seen' }, text);
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 96 30');
  svg.setAttribute('role', 'img');
  const title = document.createElementNS(space, 'title');
  title.textContent = `How the values of ${column.name} are spread`;
  svg.append(title);
  const [width, top] = [96 / Math.max(counts.length, 6), Math.max(...counts)];
  counts.forEach((count, at) => {
    const height = count ? Math.max(1.5, 28 * count / top) : 0;
    const box = document.createElementNS(space, 'rect');
    for (const [key, value] of Object.entries({ x: at * width + 0.5, y: 29 - height, width: Math.max(width - 1.5, 1), height, rx: 1 })) box.setAttribute(key, value);
    svg.append(box);
  });
  return make('div', { class: 'seen' }, svg, text);
}

function inWords(column) {
  const values = `${column.values}${column.more_values ? ' and more' : ''} values`;
  if (column.kind === 'left_out') return 'tells rows apart, or was left out';
  if (column.range) {
    const day = (days) => { const date = new Date(days * 864e5); return Number.isNaN(+date) ? short(days) : date.toISOString().slice(0, 10); };
    const [low, high] = column.range.map(column.kind === 'date' ? day : short);
    return low === high ? `always ${low}` : `${low} to ${high}, ${values}`;
  }
  if (!column.words.length) return 'nothing but gaps';
  const words = column.words.slice(0, 3).map(([word, rows]) => `${word.length > 24 ? `${word.slice(0, 23)}…` : word} ${rows}`);
  return words.join(', ') + (column.values > 3 ? `, … ${values}` : '');
}

$('label').addEventListener('change', () => { showLabel(); showColumns(); });
$('find').addEventListener('input', () => { most = SHOWN; showColumns(); });
$('more-columns').querySelector('button').addEventListener('click', () => { most += 200; showColumns(); });
$('table-remove').addEventListener('click', async () => {
  await post(`tables/${id}/remove`).catch(() => {});
  location.hash = 'start';
});
$('ask').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  const label = $('label').hidden ? '' : $('label').value;
  const name = outline.columns.find((column) => column.label === label)?.name;
  const asked = {
    table: id,
    label,
    kinds: [...said].filter(([column]) => column !== name),
    goal: form.elements.goal.value,
    features: $('most').value ? Number($('most').value) : null,
    test: $('test').checked,
    price: $('price').checked,
  };
  try {
    const { id: result } = await post('results', asked);
    await refresh();
    location.hash = `result-${result}`;
  } catch (error) {
    problem($('table-problem'), error.message);
  }
});
