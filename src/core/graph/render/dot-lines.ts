import { GraphRelation } from '../facts';

/** The line style of each relation, in Graphviz's terms. */
export const LINES: Readonly<
  Record<GraphRelation, { readonly colour: string; readonly style: 'solid' | 'dashed' | 'dotted'; readonly ends: string }>
> = {
  // `constraint=false`, because lines across namespaces would pull the boxes apart.
  [GraphRelation.OWNS]: { colour: '#334155', style: 'solid', ends: 'dir=both arrowtail=diamond arrowhead=none constraint=false' },
  // Drawn from the needed node to the dependent one, so that nodes are in creation order from left to right.
  [GraphRelation.REFERENCES]: { colour: '#475569', style: 'solid', ends: 'dir=back arrowtail=vee' },
  // Ends at the left side: from above, lines would cross the titles of the boxes around.
  [GraphRelation.FEEDS]: { colour: '#0f6cbd', style: 'dashed', ends: 'arrowhead=normal headport=w' },
  [GraphRelation.AUTHENTICATES_WITH]: { colour: '#a16207', style: 'dotted', ends: 'dir=back arrowtail=odot' },
};

/** The colour of values that flow through a Secret. */
export const SECRET_FLOW = '#9333ea';
