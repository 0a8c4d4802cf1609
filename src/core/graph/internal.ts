export { buildGraph } from './build';
export { Graph } from './graph';
export { objectsIn } from './objects-in';
export { predictedIds } from './predicted-ids';
export { render } from './render';
