import { CSP } from './csp.ts';

/** The door of the site: one page in both scripts, which sends nobody anywhere by itself. */
export const entryPage = (motif: string): string => `<!doctype html>
<html lang="zh-TW" data-track="lecture">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${CSP}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>注意力課伴</title>
<meta name="description" content="一門講注意力與 Transformer 的課，有繁體中文與簡體中文兩種版本。">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="zh-Hant/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="zh-Hant/assets/site.css">
<script src="zh-Hant/assets/theme.js"></script>
</head>
<body class="door">
<main>
${motif}
<h1>注意力課伴</h1>
<ul class="door-choices">
<li>
<a href="zh-Hant/index.html">繁體中文</a>
<p>台灣用語。用看的、用聽的，學到的是同一套。</p>
</li>
<li lang="zh-CN">
<a href="zh-Hans/index.html" hreflang="zh-CN">简体中文</a>
<p>大陆用语。用看的、用听的，学到的是同一套。</p>
</li>
</ul>
</main>
</body>
</html>
`;
