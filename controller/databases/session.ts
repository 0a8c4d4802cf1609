/** Address of a database. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

/** The administrator's login. */
export interface Login {
  readonly user: string;
  /** A password, or a token of Entra that stands for one. */
  readonly password: string;
  readonly isToken: boolean;
}

export type Row = Readonly<Record<string, unknown>>;

/** One statement, with the step of the sequence that it belongs to. */
export interface Statement {
  /** For errors: `create user`. */
  readonly step: string;
  readonly text: string;
  /** Values of the placeholders, in the driver's form. */
  readonly values?: readonly unknown[];
}

/** One connection of one reconcile. */
export interface Session {
  rows(statement: Statement): Promise<readonly Row[]>;
  /** Ends the connection politely; never fails. */
  close(): Promise<void>;
  /** Cuts the connection off, whatever runs on it. */
  destroy(): void;
}

/** Options of all drivers besides target and login; for tests. */
export interface ConnectOptions {
  /** PEM of the authorities that are trusted instead of the system's. */
  readonly ca?: string;
  /** Milliseconds. Default: `CONNECT_TIMEOUT`. */
  readonly connectTimeoutMs?: number;
}

/** Opens an encrypted connection to a server whose certificate was verified, and checks that it answers. */
export type Connect = (target: Target, login: Login) => Promise<Session>;

/** As the Azure services allow it; a server that sleeps needs most of it to wake up. */
export const CONNECT_TIMEOUT = 30_000;
/** No statement about a user takes longer unless something is stuck. */
export const STATEMENT_TIMEOUT = 60_000;
/** The wait for a lock that others hold, where the server can limit it. */
export const LOCK_TIMEOUT = 20_000;
/** A whole reconcile: a server that answers each statement at the last moment gives way to others. */
export const SESSION_TIMEOUT = 600_000;
/** A polite end; then the connection is cut off. */
export const CLOSE_TIMEOUT = 5_000;
