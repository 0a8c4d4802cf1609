const NAME = 'cdk8s-aso-theme';
const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** Sets the colours to those that were chosen last, and those that are chosen from now on. */
export function followTheme(select: HTMLSelectElement): void {
  const stored = localStorage.getItem(NAME);
  const theme = THEMES.find((one) => one === stored) ?? 'system';
  select.value = theme;
  use(theme);
  select.addEventListener('change', () => {
    const chosen = THEMES.find((one) => one === select.value) ?? 'system';
    localStorage.setItem(NAME, chosen);
    use(chosen);
  });
}

function use(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
