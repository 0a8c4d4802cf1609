import { readFileSync } from 'node:fs';
import { FlatCompat } from '@eslint/eslintrc';
const { root, ...rules } = JSON.parse(readFileSync('.eslintrc.json', 'utf8').replace(/^\/\/.*\n/, ''));
export default new FlatCompat({ baseDirectory: process.cwd(), resolvePluginsRelativeTo: process.cwd() }).config(rules);
