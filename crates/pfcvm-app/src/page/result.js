// A result: how far it is, its reports, and what can be made of it.
import { $, busy, counted, desk, droppable, make, post, problem, refresh, say, send, short } from './parts.js';

const TASKS = {
  fit: 'Learning what matters', test: 'Testing by cross-validation', price: 'Finding out what shorter lists cost',
  onnx: 'Writing the model for other programs', compare: 'Comparing methods', predict: 'Predicting',
};
const TABS = { fit: 'What matters', test: 'How good it is', price: 'Shorter lists', compare: 'Compare methods', predict: 'Predict rows', commands: 'Commands' };
const SIGNS = { waiting: '·', running: '●', done: '✓', failed: '!', stopped: '–' };
const STAGES = { waiting: 'waits', running: 'is under way', done: 'is done', failed: 'has failed', stopped: 'was stopped' };
const USUAL = ['pfcvm-lp', 'rvm', 'svm', 'l1svm'];
/** Methods that select columns and predict nothing. */
const SELECTORS = ['fisher', 'laplacian', 'mrmr', 'trc', 'fsnm'];

let id = 0;
let tab = 'fit';
let other = 0;
/** What the panes were made from. */
let drawn = '';
let methods = null;

export function showResult(result, isNew) {
  if (isNew || id !== result.id) [id, tab, other, drawn] = [result.id, 'fit', 0, ''];
  $('result-name').textContent = result.name;
  $('result-lead').textContent = lead(result);
  showSteps(result);
  const [fit] = result.steps;
  problem($('result-problem'), fit.stage === 'failed' ? fit.error : fit.stage === 'stopped' ? 'It was stopped before anything was found.' : '');
  showSave(result);
  showTabs(result);
  showPanes(result);
}

const percent = (share) => `${Math.round(1000 * share) / 10} %`;

function lead({ asked, figures: { fit, test } }) {
  const label = asked.label ? `What decides ${asked.label}. ` : '';
  if (!fit) return label;
  const names = fit.names.join(', ') + (fit.features > 3 ? ' …' : '');
  const found = fit.nothing ? 'No column does better than chance.' : `${counted(fit.features, 'column')} of ${fit.columns} kept${fit.features ? ` (${names})` : ''}${fit.certain ? `, ${fit.certain} of them certain` : ''}.`;
  const good = test ? ` ${percent(test.accuracy)} right on rows that had no part in learning; always the most frequent class: ${percent(test.baseline)}.` : '';
  return label + found + good;
}

function showSteps({ steps }) {
  const seconds = (step) => (step.seconds >= 60 ? `${Math.floor(step.seconds / 60)} min ${Math.round(step.seconds % 60)} s` : `${step.seconds < 10 ? step.seconds.toFixed(1) : Math.round(step.seconds)} s`);
  const item = (step) => {
    const about = step.about ? `: ${step.task === 'compare' ? step.about.replaceAll(',', ', ') : step.about}` : '';
    const [, now, all] = step.progress.match(/^(\d+) of (\d+) folds/) ?? [];
    const extra = step.stage === 'running' ? [make('progress', { 'aria-label': TASKS[step.task], max: now != null && all, value: now }), make('span', { class: 'said' }, step.progress)]
      : step.stage === 'failed' ? [make('span', { class: 'said' }, step.error)] : [];
    const sign = make('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[step.stage]);
    const time = make('span', { class: 'time' }, step.stage === 'waiting' ? '' : step.stage === 'stopped' ? 'stopped' : seconds(step));
    return make('li', { class: step.stage }, sign, make('span', {}, TASKS[step.task] + about, make('span', { class: 'sr' }, ` ${STAGES[step.stage]}`)), time, ...extra);
  };
  $('steps').replaceChildren(...steps.map(item));
  $('stop').hidden = !busy(steps);
  $('work').hidden = !busy(steps) && steps.every((step) => step.stage === 'done');
  const now = steps.filter((step) => step.stage === 'running').map((step) => `${TASKS[step.task]} is under way.`).join(' ');
  const spoken = now || (steps.every((step) => step.stage === 'done') ? 'All is done.' : 'Nothing is under way.');
  say($('spoken'), spoken);
}

function showSave(result) {
  const [fit] = result.steps;
  $('save').hidden = fit.stage !== 'done';
  link($('save-report'), 'report.html', true);
  link($('save-model'), 'model.json', true);
  const onnx = result.steps.find((step) => step.task === 'onnx');
  link($('save-onnx'), 'model.onnx', onnx.stage === 'done', onnx.error);
  const others = desk.results.filter((one) => one.id !== id && one.steps[0].stage === 'done');
  const options = [[0, 'nothing'], ...others.map((one) => [one.id, `Result ${desk.results.indexOf(one) + 1}: ${one.name}`])];
  const select = $('beside');
  if (select.dataset.of !== JSON.stringify([id, options])) {
    select.dataset.of = JSON.stringify([id, options]);
    select.replaceChildren(...options.map(([value, text]) => make('option', { value, selected: value === other }, text)));
  }
  select.closest('label').hidden = !others.length;
}

function link(element, name, isThere, why) {
  if (isThere) {
    element.href = `results/${id}/files/${name}?save=1`;
    element.removeAttribute('aria-disabled');
    element.removeAttribute('title');
  } else {
    element.removeAttribute('href');
    element.setAttribute('aria-disabled', 'true');
    if (why) element.title = why;
  }
}

function showTabs(result) {
  const fitted = result.steps[0].stage === 'done';
  $('tabs').hidden = !fitted;
  const has = (name) => result.steps.some((step) => step.task === name);
  const names = Object.keys(TABS).filter((name) => !['test', 'price'].includes(name) || has(name));
  if ($('tabs').dataset.of !== names.join()) {
    $('tabs').dataset.of = names.join();
    $('tabs').replaceChildren(...names.map((name) => make('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': 'panes' }, TABS[name])));
  }
  for (const button of $('tabs').children) {
    const selected = button.id === `tab-${tab}`;
    button.setAttribute('aria-selected', selected);
    button.tabIndex = selected ? 0 : -1;
  }
  $('panes').setAttribute('role', 'tabpanel');
  $('panes').setAttribute('aria-labelledby', `tab-${tab}`);
}

/** Draws panes anew only where something in them has changed: a report that is being read stays. */
function showPanes(result) {
  const second = desk.results.find((one) => one.id === other);
  const shown = result.steps[0].stage === 'done' ? [result, second].filter(Boolean) : [];
  const stages = (one) => one.steps.filter((step) => tab === 'commands' || step.task === tab).map((step) => [step.stage, step.file, tab === 'commands' && step.command]);
  const now = JSON.stringify([tab, shown.map((one) => [one.id, stages(one)])]);
  if (now === drawn) return;
  drawn = now;
  $('main').classList.toggle('wide', shown.length > 1);
  $('panes').classList.toggle('two', shown.length > 1);
  $('panes').hidden = !shown.length;
  $('panes').replaceChildren(...shown.map((one) => pane(one, shown.length > 1)));
}

function pane(result, several) {
  const heading = make('h2', { class: !several && 'sr' }, `Result ${desk.results.indexOf(result) + 1}: ${result.name}, ${result.asked.label || 'its label'}`);
  const box = make('div', { class: 'pane' }, heading);
  if (tab === 'compare') box.append(...comparing(result));
  else if (tab === 'predict') box.append(predicting(result));
  else if (tab === 'commands') box.append(commanding(result));
  else box.append(part(result, result.steps.find((step) => step.task === tab)));
  return box;
}

/** A report, or why there is none. */
function part(result, step) {
  if (step?.stage === 'done') return report(`results/${result.id}/files/${step.file}`, TABS[step.task]);
  const text = { failed: step?.error, stopped: 'It was stopped.', waiting: 'It waits for its turn.', running: 'It is under way …' }[step?.stage];
  return make('p', { class: 'waiting-part' }, text ?? 'It was not asked for.');
}

/** A page within the page, as high as it is long. It runs no script. */
function report(address, title) {
  const frame = make('iframe', { src: address, title, sandbox: 'allow-same-origin' });
  // Looked at again and again: a download that begins while it loads keeps its `load` from coming.
  const fit = () => {
    const inside = frame.contentDocument?.body;
    const height = inside?.childElementCount ? `${Math.ceil(inside.getBoundingClientRect().height) + 4}px` : '';
    if (height && frame.style.height !== height) frame.style.height = height;
    if (frame.isConnected) setTimeout(fit, 200);
  };
  setTimeout(fit, 50);
  return frame;
}

function comparing(result) {
  const piece = $('compare-part').content.cloneNode(true);
  const [form, fields, status] = ['form', 'fieldset', '[role=status]'].map((what) => piece.querySelector(what));
  methods ??= fetch('methods').then((answer) => answer.json());
  methods.then((known) => {
    for (const { name, about } of known.methods.filter((method) => !SELECTORS.includes(method.name))) {
      const box = make('input', { type: 'checkbox', value: name === 'pfcvm-lp' ? 'pfcvm-lp/kernel=auto/samples=auto' : name, checked: USUAL.includes(name) });
      fields.append(make('label', { class: 'choice' }, box, make('span', {}, name, make('small', {}, about))));
    }
  }).catch(() => { status.textContent = 'The methods could not be listed.'; });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const chosen = [...fields.querySelectorAll('input:checked')].map((box) => box.value);
    post(`results/${result.id}/compare`, { methods: chosen }).catch((error) => { status.textContent = error.message; });
  });
  const done = result.steps.filter((step) => step.task === 'compare').reverse();
  const reports = done.map((step) => make('div', {}, make('p', {}, ...(step.stage === 'done' ? [make('a', { class: 'button', href: `results/${result.id}/files/${step.file}?save=1` }, 'Download this comparison')] : [])), part(result, step)));
  piece.querySelector('.reports').append(...reports);
  return [piece];
}

function predicting(result) {
  const piece = $('predict-part').content.cloneNode(true);
  const [zone, file, status] = ['.drop', 'input', '[role=status]'].map((what) => piece.querySelector(what));
  const take = async ([rows]) => {
    try {
      await send(`results/${result.id}/rows`, rows, (share) => { status.textContent = `${Math.round(100 * share)} % of ${rows.name}`; });
      status.textContent = '';
      refresh();
    } catch (error) {
      status.textContent = error.message;
    }
  };
  droppable(zone, take);
  file.addEventListener('change', () => take([...file.files]));
  const list = piece.querySelector('.predictions');
  for (const step of result.steps.filter((one) => one.task === 'predict').reverse()) list.append(predicted(result, step));
  return piece;
}

function predicted(result, step) {
  const box = make('div', {}, make('h3', {}, step.about));
  if (step.stage !== 'done') { box.append(part(result, step)); return box; }
  const address = `results/${result.id}/files/${step.file}`;
  const [against, of] = result.figures.fit?.classes?.length === 2 ? result.figures.fit.classes.map(cut) : [];
  const meaning = of == null ? [] : [`The column probability is the probability of “${of}”: 1 is surely “${of}”, 0 surely “${against}”.`];
  const notes = [...step.notes, ...meaning].map((note) => make('p', { class: 'hint' }, note));
  const preview = make('div', { class: 'scroll', role: 'region', 'aria-label': `Predictions of ${step.about}`, tabindex: 0 });
  box.append(...notes, preview, make('p', {}, make('a', { class: 'button primary', href: `${address}?save=1` }, 'Download the predictions')));
  fetch(`${address}?head=1`).then((answer) => answer.text()).then((text) => {
    const rows = text.split('\n').slice(0, 11).filter(Boolean).map(cells);
    const cell = (value) => (value !== '' && !Number.isNaN(Number(value)) ? make('td', { class: 'number' }, short(value)) : make('td', {}, value));
    const named = (name) => make('th', { scope: 'col' }, name, ...(name === 'probability' && of != null ? [make('small', {}, ` of “${of}”`)] : []));
    const head = make('tr', {}, make('th', { scope: 'col' }, 'row'), ...(rows.shift() ?? []).map(named));
    const body = rows.map((row, at) => make('tr', {}, make('th', { scope: 'row' }, String(at + 1)), ...row.map(cell)));
    preview.append(make('table', {}, make('caption', { class: 'sr' }, 'The first predictions'), make('thead', {}, head), make('tbody', {}, ...body)));
  });
  return box;
}

const cut = (word) => (word.length > 40 ? `${word.slice(0, 39)}…` : word);

/** The cells of a line of CSV. */
function cells(line) {
  const found = line.replace(/\r$/, '').match(/("([^"]|"")*"|[^,]*)(,|$)/g)?.slice(0, -1) ?? [];
  const whole = line.endsWith(',') ? [...found, ''] : found.length ? found : [line];
  return whole.map((cell) => cell.replace(/,$/, '').replace(/^"|"$/g, '').replaceAll('""', '"'));
}

function commanding(result) {
  const piece = $('commands-part').content.cloneNode(true);
  const text = result.steps.map((step) => step.command).filter(Boolean).join('\n');
  piece.querySelector('code').textContent = text;
  const status = piece.querySelector('[role=status]');
  piece.querySelector('.copy').addEventListener('click', () => {
    navigator.clipboard.writeText(text).then(() => { status.textContent = 'Copied.'; }, () => { status.textContent = 'Select and copy them by hand.'; });
  });
  return piece;
}

function choose(name) {
  tab = name;
  const result = desk.results.find((one) => one.id === id);
  if (result) showResult(result, false);
  $(`tab-${name}`)?.focus();
}

$('tabs').addEventListener('click', (event) => { if (event.target.id.startsWith('tab-')) choose(event.target.id.slice(4)); });
$('tabs').addEventListener('keydown', (event) => {
  const all = [...$('tabs').children];
  const at = all.findIndex((button) => button.id === `tab-${tab}`);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to == null) return;
  event.preventDefault();
  choose(all[(to + all.length) % all.length].id.slice(4));
});
$('beside').addEventListener('change', () => {
  other = Number($('beside').value);
  const result = desk.results.find((one) => one.id === id);
  if (result) showResult(result, false);
});
$('stop').addEventListener('click', () => post(`results/${id}/stop`).catch(() => {}));
$('result-remove').addEventListener('click', async () => {
  await post(`results/${id}/remove`).catch(() => {});
  location.hash = 'start';
});
