"""What a report says, section by section: from results to plain blocks; nothing here knows what a page looks like."""
