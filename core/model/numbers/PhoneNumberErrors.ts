import { Schema } from "effect"

export class PhoneNumberNotFound extends Schema.TaggedError<PhoneNumberNotFound>()("PhoneNumberNotFound", {
  phone_number_id: Schema.String
}) {
  override get message() {
    return "no such phone number in the workspace"
  }
}

/** A call needs a number to dial from, and the workspace has none. */
export class NoPhoneNumber extends Schema.TaggedError<NoPhoneNumber>()("NoPhoneNumber", {}) {
  override get message() {
    return "the workspace has no phone number to dial from: add one, or name one in from_phone_number_id"
  }
}

export class PhoneNumberTaken extends Schema.TaggedError<PhoneNumberTaken>()("PhoneNumberTaken", {}) {
  override get message() {
    return "the workspace has this phone number already"
  }
}

/** Removing it would leave a running campaign without the number that it dials from. */
export class PhoneNumberInUse extends Schema.TaggedError<PhoneNumberInUse>()("PhoneNumberInUse", {
  campaign_id: Schema.String
}) {
  override get message() {
    return "a running campaign dials from this phone number: pause or cancel the campaign first"
  }
}

export class NotOnTheList extends Schema.TaggedError<NotOnTheList>()("NotOnTheList", {}) {
  override get message() {
    return "the phone number is not on the do-not-call list"
  }
}
