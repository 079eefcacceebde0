import { decodeEntities, htmlToText } from './plain-text.ts';

test.each([
  ['Salt &amp; Ember', 'Salt & Ember'],
  ['&amp;lt;', '&lt;'],
  ['It&#39;s &#x1F422; caf&eacute;', 'It’s 🐢 café'.replace('’', "'")],
  ['R&D, Q&A &copy that, a <3 b', 'R&D, Q&A &copy that, a <3 b'],
  ['&unknown; &;', '&unknown; &;'],
  ['<b>&lt;/b&gt;</b> &amp', '<b></b></b> &amp'],
])('the character references of %j are decoded once', (text, decoded) =>
  expect(decodeEntities(text)).toBe(decoded),
);

test.each([
  ['One<br>two', 'One\ntwo'],
  ['One<br/><br />two', 'One\n\ntwo'],
  ['<p>One</p><p>two</p>three', 'One\ntwo\nthree'],
  ['One<br><p>two</p><br>three', 'One\ntwo\nthree'],
  ['<ul><li>One</li><li>two</li></ul>', 'One\ntwo'],
  ['<b>On</b>e <i>two</i>', 'One two'],
  ['<div><p>One</p></div>\n<p><!-- a note --></p><p>two</p>', 'One\ntwo'],
  ['One<br></p><br><h1></h1>two<p>', 'One\n\ntwo'],
  ['One<hr>two<hr/>three', 'One\ntwo\nthree'],
  ['<dl><dt>One<dd>two</dl><center>three</center>', 'One\ntwo\nthree'],
  ['<table><tr><td>One</td><th>two</th></tr></table>', 'One\ntwo'],
  ['One\ufdd0two', 'One\ufdd0two'],
  ['One\r\ntwo', 'One\ntwo'],
  ['&lt;br&gt; &amp;amp;', '<br> &amp;'],
])('the text of %j has a line for each line and block', (html, text) => expect(htmlToText(html)).toBe(text));
