const pointer = document.createElement("div");
pointer.innerHTML =
  '<svg width="22" height="22" viewBox="0 0 22 22"><path d="M4 2v15l4-4 3 7 3-1-3-7h6z" fill="#000" stroke="#fff" stroke-width="1.5"/></svg>';
pointer.style.cssText = "position:fixed;z-index:99999;pointer-events:none;left:0;top:0";
addEventListener("DOMContentLoaded", () => document.documentElement.append(pointer));
addEventListener(
  "mousemove",
  ({ clientX, clientY }) => {
    pointer.style.transform = `translate(${clientX - 4}px, ${clientY - 2}px)`;
  },
  true,
);
