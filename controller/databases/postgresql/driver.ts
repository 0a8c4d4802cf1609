// A module of its own, imported lazily: a bundle splits here.
export { Client } from 'pg';
