import { GraphRelation } from '../facts';

/** How each relation is drawn, in Graphviz's terms. */
export const LINES: Readonly<Record<GraphRelation, { readonly colour: string; readonly style: 'solid' | 'dashed' | 'dotted'; readonly ends: string }>> = {
  // Without a say in the layout: lines across namespaces would pull the boxes apart.
  [GraphRelation.OWNS]: { colour: '#334155', style: 'solid', ends: 'dir=both arrowtail=diamond arrowhead=none constraint=false' },
  // Drawn from what is needed to who needs it, so that things stand from left to right in the order in which they are made.
  [GraphRelation.REFERENCES]: { colour: '#475569', style: 'solid', ends: 'dir=back arrowtail=vee' },
  // From the left, or they would come in by the top and cross the titles of the boxes around.
  [GraphRelation.FEEDS]: { colour: '#0f6cbd', style: 'dashed', ends: 'arrowhead=normal headport=w' },
  [GraphRelation.AUTHENTICATES_WITH]: { colour: '#a16207', style: 'dotted', ends: 'dir=back arrowtail=odot' },
};

/** The colour of values that flow by Secret. */
export const SECRET_FLOW = '#9333ea';
