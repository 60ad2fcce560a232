"""What was published when: versions, what each changed, and addresses that go on working."""
