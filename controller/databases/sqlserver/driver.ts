// A module of its own, imported lazily: a bundle splits here, and a CommonJS library keeps its names only behind such a module.
export { Connection, Request, TYPES } from 'tedious';
