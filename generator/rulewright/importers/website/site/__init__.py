"""A website as it lies in its folder: files, settings, addresses, pages in order, and where links lead."""
