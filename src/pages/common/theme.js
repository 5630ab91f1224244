// @ts-check
// Light or dark: as the system has it, until one of them is chosen here.

const THEME_KEY = 'theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');

/** Puts on what was chosen before. */
export function wearTheme() {
  const chosen = localStorage.getItem(THEME_KEY);
  if (chosen) document.documentElement.dataset.theme = chosen;
  else delete document.documentElement.dataset.theme;
}

/** Changes to the other one. What the system has anyway is not remembered: then the page goes on following it. */
export function changeTheme() {
  const next = isDark() ? 'light' : 'dark';
  if (next === (system.matches ? 'dark' : 'light')) localStorage.removeItem(THEME_KEY);
  else localStorage.setItem(THEME_KEY, next);
  wearTheme();
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? system.matches : theme === 'dark';
}
