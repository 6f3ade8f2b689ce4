# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx's configuration of the site; build_site.py runs it."""

import os

project = "RoceLab"
copyright = "the RoceLab authors, GPL-2.0-only"
version = release = os.environ.get("ROCELAB_SITE_VERSION", "")
extensions = ["myst_parser"]
html_theme = "furo"
html_title = f"RoceLab {version}"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["site.css"]
# GitHub's anchors of headings: the pages link to them.
myst_heading_anchors = 4
nitpicky = True
# A scenario in a page may be a part of a file, which is no JSON by itself.
suppress_warnings = ["misc.highlighting_failure"]
