import { h, svg } from './elements';
import { BOX_HEIGHT, BOX_WIDTH, neighbourhood, type Box, type Line } from './neighbourhood';
import { toneOf } from './state-badge';
import { STATE_SIGNS } from '../../engine/inspect/state-signs';
import { shortened } from '../../src/util/words';
import type { WireDetail } from '../wire';

const MOST_CHARACTERS = 18;

/** The neighbourhood of an object as a drawing. What it shows is below it as lists, too, for those who do not see it. */
export function graphView(detail: WireDetail, choose: (key: string) => void): HTMLElement {
  const { width, height, boxes, lines } = neighbourhood(detail);
  const drawing = svg('svg', { 'viewBox': `0 0 ${width} ${height}`, width, height, 'role': 'group', 'aria-label': `Neighbours of ${detail.node.kind} ${detail.node.name}` });
  drawing.append(...lines.map(lineElement), ...boxes.map((box) => boxElement(box, choose)));
  return h('div', { class: 'graph' }, drawing, h('p', { class: 'legend dim' }, 'Left: what it needs. Right: what needs it. Solid: owner; dashed: reference.'));
}

function lineElement({ from, to, meaning }: Line): SVGElement {
  const [x1, y1, x2, y2] = [from.x + BOX_WIDTH, from.y + BOX_HEIGHT / 2, to.x, to.y + BOX_HEIGHT / 2];
  const bend = (x2 - x1) / 2;
  return svg('path', { class: `line ${meaning}`, d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` });
}

function boxElement({ x, y, title, key, state, isCentre }: Box, choose: (key: string) => void): SVGElement {
  const space = title.indexOf(' ');
  const [kind, name] = space < 0 ? ['', title] : [title.slice(0, space), title.slice(space + 1)];
  const isLink = key !== undefined && !isCentre;
  const group = svg(
    'g',
    {
      class: `box${isCentre ? ' centre' : ''}${isLink ? ' link' : ''}${state === undefined ? ' outside' : ''}`,
      transform: `translate(${x} ${y})`,
      role: isLink ? 'link' : 'img',
      tabindex: isLink ? 0 : undefined,
    },
    // The name of the box for those who do not see it; the others see what is cut.
    svg('title', {}, `${title}${state === undefined ? '' : `, ${state}`}`),
    svg('rect', { width: BOX_WIDTH, height: BOX_HEIGHT, rx: 5 }),
    svg('text', { 'x': 10, 'y': 16, 'class': 'box-kind', 'aria-hidden': 'true' }, shortened(kind, MOST_CHARACTERS + 4)),
    svg('text', { 'x': 10, 'y': 31, 'class': 'box-name', 'aria-hidden': 'true' }, shortened(name, MOST_CHARACTERS)),
    state !== undefined && svg('text', { 'x': BOX_WIDTH - 14, 'y': 32, 'class': `box-sign ${toneOf(state)}`, 'text-anchor': 'middle', 'aria-hidden': 'true' }, STATE_SIGNS[state]),
  );
  if (isLink) {
    group.addEventListener('click', () => choose(key));
    group.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choose(key);
    });
  }
  return group;
}
