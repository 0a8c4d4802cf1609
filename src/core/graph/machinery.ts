export { buildGraph } from './build';
export { Graph } from './graph';
export { objectsIn } from './objects-in';
export { render } from './render';
