declare module '@11ty/eleventy' {
  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: {
        quietMode?: boolean;
        configPath?: string | false;
        config?: (config: EleventyConfig) => void | Promise<void>;
      },
    );
    disableLogger(): void;
    write(): Promise<unknown>;
  }

  export interface EleventyConfig {
    addGlobalData(name: string, value: unknown): void;
    addNunjucksGlobal(name: string, value: unknown): void;
    addTemplate(path: string, content: string, data?: object): void;
    addTransform(
      name: string,
      transform: (
        this: { page: { inputPath: string; outputPath: string } },
        content: string,
      ) => string,
    ): void;
    setLibrary(
      name: 'md',
      library: { render(source: string, data: Record<string, any>): string },
    ): void;
    setTemplateFormats(formats: string[]): void;
    setIncludesDirectory(directory: string): void;
    setUseGitIgnore(use: boolean): void;
    ignores: { add(glob: string): void };
    benchmarks: { config: { setMinimumThresholdMs(ms: number): void } };
  }
}

declare module 'markdown-it-attrs' {
  import type { PluginWithOptions } from 'markdown-it';
  const attrs: PluginWithOptions<{ allowedAttributes?: (string | RegExp)[] }>;
  export default attrs;
}

declare module 'markdown-it-container' {
  import type MarkdownIt from 'markdown-it';
  import type { Token } from 'markdown-it';
  export default function container(
    md: MarkdownIt,
    name: string,
    options: {
      validate(params: string): boolean;
      render(tokens: Token[], index: number, options: unknown, env: unknown): string;
    },
  ): void;
}
