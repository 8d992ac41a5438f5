"""Icons of the menus, drawn into the page."""

ICONS = {
    "board": ('<path d="M3.5 3.5h17v17h-17zM3.5 9.2h17M3.5 14.8h17M9.2 3.5v17M14.8 3.5v17"/>'),
    "act": (
        '<g><rect x="4" y="4" width="16" height="16" rx="4"/></g><g fill="currentColor"><circle cx="8.6"'
        ' cy="8.6" r="1.6"/><circle cx="15.4" cy="15.4" r="1.6"/><circle cx="15.4" cy="8.6" r="1.6"/><ci'
        'rcle cx="8.6" cy="15.4" r="1.6"/><circle cx="12" cy="12" r="1.6"/></g>'
    ),
    "rules": (
        '<path d="M12 6.2C9.6 4.4 6.6 4 3.5 4.2v14c3.1-.2 6.1.2 8.5 2 2.4-1.8 5.4-2.2 8.5-2v-14c-3.1-.2-'
        '6.1.2-8.5 2zM12 6.2v14"/>'
    ),
    "proposals": ('<path d="M4 20h16M14.5 4.5l5 5L9.5 19.5H4.5v-5zM12 7l5 5"/>'),
    "players": (
        '<path d="M12 3.500a3.7 3.7 0 0 1 2.3 6.600c.3 3.4 1.4 5.9 3.2 7.9v2.5h-11V18c1.8-2 2.9-4.5 3.2-'
        '7.9A3.7 3.7 0 0 1 12 3.5z"/>'
    ),
    "log": ('<path d="M6 3.5h12v17l-2-1.5-2 1.5-2-1.5-2 1.5-2-1.5-2 1.5zM9 8.5h6M9 12.5h6"/>'),
    "accounts": ('<path d="M3.5 9.5L12 4l8.5 5.5zM5.5 9.5v8M10 9.5v8M14 9.5v8M18.5 9.5v8M3.5 20h17"/>'),
    "desk": ('<path d="M14 4l6 6M12 6l6 6M15 9l-8.5 8.500a1.8 1.8 0 0 1-2.6-2.6L12 7M4 20.5h9"/>'),
    "forum": ('<path d="M4 5h16v11h-9l-4 4v-4H4z"/>'),
}
