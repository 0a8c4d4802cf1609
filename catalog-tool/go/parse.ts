import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Language, Parser } from 'web-tree-sitter';
import { cutFunctions } from './cut';
import { readDeclarations } from './declarations';
import type { GoFile } from './syntax';

/** Parses Go source. */
export class GoParser {
  /** Loads Go's grammar as WebAssembly, which needs neither a compiler nor Go on the machine. */
  public static load(): Promise<GoParser> {
    // A second initialization would free the memory that the first one's parser uses.
    return (GoParser.loaded ??= GoParser.make());
  }

  private static loaded?: Promise<GoParser>;

  private static async make(): Promise<GoParser> {
    await Parser.init();
    const grammar = createRequire(__filename).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm');
    const parser = new Parser();
    parser.setLanguage(await Language.load(new Uint8Array(readFileSync(grammar))));
    return new GoParser(parser);
  }

  private constructor(private readonly parser: Parser) {}

  /**
   * @param source the text of a file
   * @param wanted the names of the functions to read; all others are skipped
   * @param file name of the file in error messages
   * @throws when the text is not Go
   */
  public parse(source: string, wanted: (name: string) => boolean, file: string): GoFile {
    const tree = this.parser.parse(cutFunctions(source, wanted));
    if (!tree) throw new Error(`${file}: the parser gave up`);
    try {
      if (tree.rootNode.hasError) throw new Error(`${file}: this is not Go that the grammar knows`);
      return readDeclarations(tree.rootNode);
    } finally {
      tree.delete();
    }
  }
}
