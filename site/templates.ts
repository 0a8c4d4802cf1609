/** As far as it is used here: an element of a template of VitePress's theme, or another node. */
interface TemplateNode {
  readonly type: number;
  tag?: string;
  props?: readonly TemplateAttribute[];
  children?: readonly unknown[];
}

interface TemplateAttribute {
  readonly type: number;
  readonly name: string;
  readonly value?: { readonly content: string } | undefined;
}

/** `NodeTypes` of `@vue/compiler-core`. */
const ELEMENT = 1;
const ATTRIBUTE = 6;

/** What screen readers need and VitePress's theme lacks; axe finds each of these. */
export function correctTheme(node: TemplateNode): void {
  if (node.type !== ELEMENT || node.props === undefined) return;
  const { props } = node;
  switch (props.find(({ type, name }) => type === ATTRIBUTE && name === 'class')?.value?.content) {
    // The home page has no other landmark.
    case 'VPHome':
      node.tag = 'main';
      break;
    // A button inside of a button that does the same.
    case 'caret':
      node.props = props.filter(({ name }) => !['role', 'aria-label', 'tabindex'].includes(name));
      break;
    // The keys of the search are no part of its name: the style sheet draws the letter, as VitePress's draws the other key.
    case 'DocSearch-Button-Key':
      node.children = [];
      break;
    default:
  }
}
