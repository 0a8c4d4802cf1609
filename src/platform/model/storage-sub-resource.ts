/**
 * A part of a storage account that has an endpoint, and a private DNS zone, of its own.
 * @see https://learn.microsoft.com/azure/storage/common/storage-private-endpoints
 */
export enum StorageSubResource {
  /** Blobs: `privatelink.blob.core.windows.net`. */
  BLOB = 'blob',
  /** Tables: `privatelink.table.core.windows.net`. */
  TABLE = 'table',
  /** File shares: `privatelink.file.core.windows.net`. */
  FILE = 'file',
  /** Queues of the account: `privatelink.queue.core.windows.net`. */
  QUEUE = 'queue',
  /** Data Lake Storage: `privatelink.dfs.core.windows.net`. Its clients also need the endpoint for blobs. */
  DFS = 'dfs',
  /** Static website: `privatelink.web.core.windows.net`. */
  WEB = 'web',
}
