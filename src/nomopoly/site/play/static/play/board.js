// Keys on the board: arrows go by geometry, n and p by number. In a narrow frame, begin where one's own piece stands.
for (const board of document.querySelectorAll("svg[data-board]")) {
  const squares = [...board.querySelectorAll("a.sq-link")];
  const at = (square) => ({ x: +square.dataset.x, y: +square.dataset.y, n: +square.dataset.n });
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  function nearest(from, [dx, dy]) {
    let best = null, least = Infinity;
    for (const square of squares) {
      const x = at(square).x - from.x, y = at(square).y - from.y;
      const ahead = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (ahead > 0 && ahead + 3 * aside < least) [best, least] = [square, ahead + 3 * aside];
    }
    return best;
  }

  board.addEventListener("keydown", (event) => {
    const here = event.target.closest?.("a.sq-link");
    if (!here || event.ctrlKey || event.altKey || event.metaKey) return;
    let next = null;
    if (ways[event.key]) next = nearest(at(here), ways[event.key]);
    if (event.key === "n" || event.key === "p") next = squares[squares.indexOf(here) + (event.key === "n" ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  const frame = board.closest(".board-scroll"), mine = board.querySelector(".mine") ?? squares[0];
  if (frame && mine && (frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight)) {
    const seen = mine.getBoundingClientRect(), edge = frame.getBoundingClientRect();
    frame.scrollTop = seen.top - edge.top + seen.height / 2 - edge.height / 2;
    frame.scrollLeft = seen.left - edge.left + seen.width / 2 - edge.width / 2;
  }
}
