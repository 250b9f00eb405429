// Puts a button beside each text that people copy. Without script they select it: one click selects all of it.
for (const box of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = box.dataset.copy;
  const said = () => (button.textContent = box.dataset.copied);
  button.addEventListener(
    'click',
    () => void navigator.clipboard.writeText(box.textContent.trim()).then(said),
  );
  box.after(button);
}
