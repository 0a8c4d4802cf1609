export { default } from '../config';
