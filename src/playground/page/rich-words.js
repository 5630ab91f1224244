// @ts-check
// The words of a rich message, for lists, quotes and the labels of buttons.

/**
 * Rich text without its looks.
 * @param {any} text
 * @returns {string}
 */
export function plain(text) {
  if (typeof text === 'string') return text;
  if (Array.isArray(text)) return text.map(plain).join('');
  return text ? plain(text.text ?? text.button?.text ?? text.alternative_text ?? text.expression ?? '') : '';
}

/** The words of a message for lists and quotes. @param {any} block @returns {string} */
export function words(block) {
  const inner = block.blocks ?? block.items ?? [];
  const cells = (block.cells ?? []).flat();
  const own = [block.text, block.summary, block.expression, block.caption?.text];
  return [...own.map(plain), ...[...inner, ...cells].map(words)].filter(Boolean).join(' ');
}
