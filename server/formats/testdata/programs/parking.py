"""What a stay in a car park costs."""


def fee(minutes, has_permit=False):
    if has_permit:
        return 0
    if minutes <= 15:
        return 0
    hours = -(-minutes // 60)
    if hours > 24:
        raise ValueError("a stay is a day at most")
    return hours * 150


def ticket(minutes):
    amount = fee(minutes)
    if amount == 0:
        return "free"
    return f"{amount // 100}.{amount % 100:02}"


if __name__ == "__main__":
    print(ticket(90))
