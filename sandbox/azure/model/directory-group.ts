import type { Json } from './store';

/** A group of the directory, as Microsoft Graph shows it. https://learn.microsoft.com/graph/api/resources/group */
export type DirectoryGroup = Json & { readonly id: string; readonly displayName: string };
