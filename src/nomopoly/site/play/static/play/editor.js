// Programs get an editor: colours, line numbers, words of the rules to choose from, and the problems of a check at their
// lines. The textarea stays the field that is sent; it holds what the editor holds at every moment.
import {
  autocompletion, bracketMatching, classHighlighter, closeBrackets, closeBracketsKeymap, completeFromList,
  completionKeymap, completionStatus, defaultKeymap, drawSelection, EditorState, EditorView, highlightActiveLine,
  highlightActiveLineGutter, highlightSpecialChars, history, historyKeymap, ifNotIn, indentOnInput, indentUnit, indentWithTab,
  keymap, LanguageSupport, lineNumbers, lintGutter, pythonLanguage, setDiagnostics, syntaxHighlighting,
} from "../nomopoly/vendor/codemirror.js";

const editors = new WeakMap();

// Escape lets the next Tab leave the editor; typing, or leaving, makes Tab indent again.
const wayOut = [
  keymap.of([{
    key: "Escape",
    run(view) {
      if (completionStatus(view.state) === null) view.setTabFocusMode(true);
      return false;
    },
  }]),
  EditorView.domEventHandlers({ blur: (_, view) => { view.setTabFocusMode(false); } }),
  EditorView.updateListener.of((update) => { if (update.docChanged) update.view.setTabFocusMode(false); }),
];

// Words to choose from, with what they take and what they are; `words` is asked for them once.
const offered = (words) => {
  let source = null;
  return async (context) => {
    source ??= ifNotIn(["Comment"], completeFromList((await words()).map(completion)));
    return source(context);
  };
};
const completion = ({ info, ...word }) => ({ ...word, info: info || undefined });

export function edit(field, { nonce, words }) {
  const label = field.labels[0];
  label.id ||= `${field.id}-label`;
  const keys = document.getElementById(`${field.id}-keys`);
  const listed = document.getElementById(`${field.id}-problems`);
  const told = [keys?.id, listed?.id].filter(Boolean).join(" ");
  const view = new EditorView({
    doc: field.value,
    extensions: [
      EditorView.cspNonce.of(nonce),
      lineNumbers(), highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(), indentOnInput(),
      bracketMatching(), closeBrackets(), highlightActiveLine(), EditorView.lineWrapping, indentUnit.of("    "),
      EditorState.tabSize.of(4), lintGutter(), wayOut,
      new LanguageSupport(pythonLanguage, pythonLanguage.data.of({ autocomplete: offered(words) })),
      autocompletion({ icons: false, selectOnOpen: false }), // Enter takes a word only once it has been chosen
      syntaxHighlighting(classHighlighter),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-labelledby": label.id, "aria-describedby": told, id: `${field.id}-editor` }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        field.value = update.state.doc.toString();
        field.dispatchEvent(new Event("program-typed", { bubbles: true }));
      }),
    ],
  });
  field.hidden = true;
  field.after(view.dom);
  if (keys) keys.hidden = false;
  label.addEventListener("click", (event) => { event.preventDefault(); view.focus(); });
  editors.set(field, view);
  show(view, listed);
  requestAnimationFrame(() => measureAll(view));
  return view;
}

// Below the edge of the window an editor only guesses how high its lines are, and numbers stand beside the wrong ones. To be
// printed it measures all of them; so it does now.
function measureAll(view) {
  view.viewState.printing = true;
  view.measure();
  view.viewState.printing = false;
}

// Mark the problems that are listed beside a field now, and none that were before.
export function mark(field) {
  const view = editors.get(field);
  if (!view) return;
  view.dispatch(setDiagnostics(view.state, []));
  show(view, document.getElementById(`${field.id}-problems`));
}

// The problems that are listed under an editor, at their lines.
function show(view, listed) {
  const found = [...(listed?.querySelectorAll("li[data-line]") ?? [])].map(({ dataset }) => {
    const line = view.state.doc.line(Math.min(Number(dataset.line), view.state.doc.lines));
    const indent = /^\s*/.exec(line.text)[0].length;
    return { from: line.from + indent, to: line.to, severity: dataset.level, message: dataset.message };
  });
  if (found.length) view.dispatch(setDiagnostics(view.state, found));
}

// Put the cursor into a line of a field's editor.
export function goTo(field, number) {
  const view = editors.get(field);
  const line = view.state.doc.line(Math.min(number, view.state.doc.lines));
  view.dispatch({ selection: { anchor: line.to }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
  view.focus();
}

// Browsers put back what was typed when one comes back to a page, into the field and behind the editor's back.
export function catchUp(field) {
  const view = editors.get(field);
  if (view && view.state.doc.toString() !== field.value) {
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: field.value } });
  }
}
