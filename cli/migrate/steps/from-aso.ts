import { ALLOW_WRITES } from './allow-writes';
import { INSTALL } from './install';
import { MOVE_STORAGE } from './move-storage';
import { OWNER_REFERENCES } from './owner-references';
import { RECORD_VERSIONS } from './record-versions';
import { REFUSE_WRITES } from './refuse-writes';
import { REMOVE_ASO } from './remove-aso';
import { REPLACE_CRDS } from './replace-crds';
import { REWRITE_OBJECTS } from './rewrite-objects';
import { STOP_WATCHERS } from './stop-watchers';
import { STORED_VERSIONS } from './stored-versions';
import type { MigrationStep } from '../migration-context';

/** The steps from ASO to this package's controller, in their order. */
export const FROM_ASO: readonly MigrationStep[] = [
  STOP_WATCHERS,
  REFUSE_WRITES,
  RECORD_VERSIONS,
  MOVE_STORAGE,
  REWRITE_OBJECTS,
  STORED_VERSIONS,
  OWNER_REFERENCES,
  REPLACE_CRDS,
  REMOVE_ASO,
  INSTALL,
  ALLOW_WRITES,
];
