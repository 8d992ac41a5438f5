"""Rules as sentences: a rule said by choices, the program it makes, its English, and programs told in the same
sentences.

- `sentence`: the data of a sentence (plain JSON), all its forms and parts.
- `offers`: what the rules of a game offer for its choices: `offers(records, commons, drafted=None) -> Offers`.
- `form`: sentences as the fields of a page: `controls(fields, offers)` lists the selects, fields and buttons to show,
  in order; `pressed(fields, button)` adds or takes away a part; `from_form(fields, offers) -> (sentences, problems)`;
  `to_form(sentences) -> fields`; `starts()`.
- `program`: `program(sentences) -> (code, params)`, ordinary rule code in the normal form.
- `prose`: `prose(sentences, offers) -> text` for the rule's words, with `{names}` of numbers.
- `tell`: `tell(record, records, commons) -> [{"text", "lines", "whole", "untold", "sort", "name", "words"}]`, what a
  program does; `share_told(records, commons)`, how many handlers of a book are told whole.
- `read`: `read(record) -> [Read]`, a program as sentences.
"""
