/** A child of an element. Texts become text nodes: nothing of a cluster is ever parsed as HTML. */
export type Child = Node | string | number | false | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const SVG = 'http://www.w3.org/2000/svg';

/** An element with attributes and children. `false` and `undefined` leave an attribute or a child out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return completed(document.createElement(tag), attributes, children);
}

/** The same in the namespace of SVG. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return completed(document.createElementNS(SVG, tag), attributes, children);
}

/** A button that acts when it is pressed. */
export function button(attributes: Attributes, act: () => void, ...children: readonly Child[]): HTMLButtonElement {
  const element = h('button', { type: 'button', ...attributes }, ...children);
  element.addEventListener('click', act);
  return element;
}

/** An element of the page's own HTML. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return element as T;
}

function completed<T extends Element>(element: T, attributes: Attributes, children: readonly Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child): child is Node | string | number => child !== undefined && child !== false).map((child) => (
    typeof child === 'number' ? String(child) : child
  )));
  return element;
}
