// @ts-check
// Files on their way out: picked, dropped or pasted, and shown as chips until they are sent.
import { fill, h, isolated } from '../../pages/common/dom.js';
import { fileSize } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';
import { icon } from '../../pages/common/icons.js';

/** As many as an album takes. */
const MOST = 10;

/**
 * @param {{ area: HTMLElement, input: HTMLTextAreaElement, isOpen: () => boolean, onChange: () => void }} options
 *   area: where files may be dropped; input: where they may be pasted
 */
export function createAttachments({ area, input, isOpen, onChange }) {
  const chips = h('ul', { class: 'chips', hidden: true });
  const picker = h('input', { type: 'file', multiple: true, hidden: true, 'data-testid': 'file-input' });
  const sign = h('div', { class: 'drop', hidden: true });
  /** @type {File[]} */
  let files = [];

  const set = (/** @type {File[]} */ next) => {
    files = next.slice(0, MOST);
    chips.hidden = files.length === 0;
    fill(chips, files.map(chip));
    onChange();
  };
  const add = (/** @type {FileList | null | undefined} */ list) => {
    if (!list || !isOpen()) return;
    set([...files, ...list]);
    input.focus();
  };
  const chip = (/** @type {File} */ file) => {
    const label = `${t('remove')}: ${file.name}`;
    const remove = h(
      'button',
      { type: 'button', class: 'plain icon-button', 'aria-label': label },
      icon('close'),
    );
    remove.addEventListener('click', () => set(files.filter((one) => one !== file)));
    const size = h('span', { class: 'muted' }, fileSize(file.size));
    return h('li', null, icon('file'), isolated(file.name, 'file-name'), size, remove);
  };

  picker.addEventListener('change', () => {
    add(picker.files);
    picker.value = '';
  });
  input.addEventListener('paste', (event) => {
    if (!event.clipboardData?.files.length) return;
    event.preventDefault();
    add(event.clipboardData.files);
  });
  acceptDrops(area, sign, add);
  return { chips, picker, sign, set, list: () => files, pick: () => picker.click() };
}

/**
 * @param {Record<string, any>} where
 * @param {string} caption
 * @param {File[]} files
 */
export function uploadForm(where, caption, files) {
  const data = new FormData();
  for (const [name, value] of Object.entries(where)) data.append(name, String(value));
  if (caption.trim() !== '') data.append('caption', caption);
  for (const file of files) data.append('file', file, file.name);
  return data;
}

/**
 * @param {HTMLElement} area
 * @param {HTMLElement} sign
 * @param {(files: FileList | null | undefined) => void} onFiles
 */
function acceptDrops(area, sign, onFiles) {
  const carries = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files') ?? false;
  area.addEventListener('dragover', (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    sign.textContent = t('drop_here');
    sign.hidden = false;
  });
  area.addEventListener('dragleave', (event) => {
    if (!(event.relatedTarget instanceof Node) || !area.contains(event.relatedTarget)) sign.hidden = true;
  });
  area.addEventListener('drop', (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    sign.hidden = true;
    onFiles(event.dataTransfer?.files);
  });
}
